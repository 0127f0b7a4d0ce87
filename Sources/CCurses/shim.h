// ncurses functions for Swift: macros and global variables are wrapped in functions.
#pragma once

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdio.h>

// Opens the terminal of standard output and input; null if its type is unknown.
static inline SCREEN *_Nullable auricleScreenOpen(void) { return newterm(NULL, stdout, stdin); }

static inline WINDOW *_Nonnull auricleWindow(void) { return stdscr; }

static inline int auricleRows(void) { return getmaxy(stdscr); }
static inline int auricleColumns(void) { return getmaxx(stdscr); }

// Sends the bytes of a terminal capability one by one. Declared in term.h, which is not included
// because of its macros.
int tputs(const char *_Nonnull text, int lines, int (*_Nonnull send)(int));

// Returns a capability; null if the terminal lacks it.
static inline const char *_Nullable auricleCapability(const char *_Nonnull name) {
  const char *text = tigetstr(name);
  return text == (char *)-1 ? NULL : text;
}

// Returns the bytes that move the cursor to the start of the last line.
static inline const char *_Nullable auricleLastLine(void) {
  const char *position = auricleCapability("cup");
  return position == NULL ? NULL : tiparm(position, auricleRows() - 1, 0);
}

// Writes a text of `length` bytes.
static inline void auricleWrite(int row, int column, const char *_Nonnull text, int length) {
  if (wmove(stdscr, row, column) != ERR) waddnstr(stdscr, text, length);
}

enum {
  auricleBold = 1,
  auricleReverse = 2,
  auricleDim = 4,
};

// Sets the style for later output: attributes of the enum above, and a colour pair, 0 for the
// terminal's default.
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
