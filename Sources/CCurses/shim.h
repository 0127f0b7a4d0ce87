// ncurses, as far as Swift can call it: macros and global variables are functions here.
#pragma once

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdio.h>

// Opens the terminal of standard output and input; null where its kind is not known.
static inline SCREEN *_Nullable auricleScreenOpen(void) { return newterm(NULL, stdout, stdin); }

static inline WINDOW *_Nonnull auricleWindow(void) { return stdscr; }

static inline int auricleRows(void) { return getmaxy(stdscr); }
static inline int auricleColumns(void) { return getmaxx(stdscr); }

// Has the bytes of a capability of the terminal sent one by one. Of term.h, whose macros are better
// left out.
int tputs(const char *_Nonnull text, int lines, int (*_Nonnull send)(int));

// A capability; null where the terminal has none.
static inline const char *_Nullable auricleCapability(const char *_Nonnull name) {
  const char *text = tigetstr(name);
  return text == (char *)-1 ? NULL : text;
}

// Where the cursor goes at the end: the last line's first column.
static inline const char *_Nullable auricleLastLine(void) {
  const char *position = auricleCapability("cup");
  return position == NULL ? NULL : tiparm(position, auricleRows() - 1, 0);
}

// Writes a text of so many bytes.
static inline void auricleWrite(int row, int column, const char *_Nonnull text, int length) {
  if (wmove(stdscr, row, column) != ERR) waddnstr(stdscr, text, length);
}

enum {
  auricleBold = 1,
  auricleReverse = 2,
  auricleDim = 4,
};

// Sets what is written from now on: attributes of those above, and a pair of colours, 0 for the
// terminal's own.
static inline void auricleStyle(int attributes, short pair) {
  attr_t bits = A_NORMAL;
  if (attributes & auricleBold) bits |= A_BOLD;
  if (attributes & auricleReverse) bits |= A_REVERSE;
  if (attributes & auricleDim) bits |= A_DIM;
  wattr_set(stdscr, bits, pair, NULL);
}

enum {
  auricleKeyNone = ERR,
  auricleKeyDown = KEY_DOWN,
  auricleKeyUp = KEY_UP,
  auricleKeyPageDown = KEY_NPAGE,
  auricleKeyPageUp = KEY_PPAGE,
  auricleKeyHome = KEY_HOME,
  auricleKeyEnd = KEY_END,
  auricleKeyResize = KEY_RESIZE,
};
