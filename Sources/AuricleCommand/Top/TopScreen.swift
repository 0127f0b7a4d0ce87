// A terminal that is written to as a whole.

import CCurses
import Foundation

/// What somebody asks of the view.
enum TopKey: Equatable {
  case quit
  /// By so many lines, or so many pages.
  case lines(Int)
  case pages(Int)
  case start
  case end
  /// The room has changed, or all is to be written again.
  case redraw

  /// - Parameter code: as ncurses has it; nil for a key that means nothing.
  init?(code: Int32) {
    switch code {
    // q, Q, and Ctrl-C where the terminal makes no signal of it.
    case 0x71, 0x51, 0x03: self = .quit
    case Int32(auricleKeyDown), 0x6A: self = .lines(1)
    case Int32(auricleKeyUp), 0x6B: self = .lines(-1)
    case Int32(auricleKeyPageDown), 0x20, 0x06: self = .pages(1)
    case Int32(auricleKeyPageUp), 0x62, 0x02: self = .pages(-1)
    case Int32(auricleKeyHome), 0x67: self = .start
    case Int32(auricleKeyEnd), 0x47: self = .end
    case Int32(auricleKeyResize), 0x0C: self = .redraw
    default: return nil
    }
  }

  /// Where the view is scrolled to.
  func scroll(from scroll: Int, rows: Int, largest: Int) -> Int {
    let next =
      switch self {
      case .quit, .redraw: scroll
      case .lines(let count): scroll + count
      case .pages(let count): scroll + count * max(1, rows - 3)
      case .start: 0
      case .end: largest
      }
    return max(0, min(next, largest))
  }
}

/// The terminal of standard input and output, its other screen with keys that come at once. ncurses
/// knows its kind, and writes only what has changed.
///
/// Used by one thread, one at a time in a process.
final class TopScreen {
  private let hasColours: Bool

  /// - Returns: nil for a terminal of which nothing is known.
  init?() {
    var settings = termios()
    tcgetattr(STDIN_FILENO, &settings)
    guard auricleScreenOpen() != nil else { return nil }
    TerminalRescue.begin(settings)
    // A lone Escape means nothing here.
    set_escdelay(25)
    cbreak()
    noecho()
    keypad(auricleWindow(), true)
    curs_set(0)
    let isPlain = !(ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    hasColours = !isPlain && has_colors()
    if hasColours {
      start_color()
      use_default_colors()
      for (pair, colour) in [(1, COLOR_GREEN), (2, COLOR_YELLOW), (3, COLOR_RED)] {
        init_pair(Int16(pair), Int16(colour), -1)
      }
    }
  }

  /// Gives the terminal back as it was.
  deinit {
    endwin()
    TerminalRescue.end()
  }

  var rows: Int { Int(auricleRows()) }
  var columns: Int { Int(auricleColumns()) }

  func show(_ lines: [TopRow]) {
    werase(auricleWindow())
    for (row, line) in lines.enumerated() {
      var column = 0
      for span in line {
        set(span.style)
        let bytes = Array(span.text.utf8CString)
        auricleWrite(Int32(row), Int32(column), bytes, Int32(bytes.count - 1))
        column += CellText.width(span.text)
      }
    }
    wrefresh(auricleWindow())
  }

  /// Has all written anew with the next `show`.
  func clear() { wclear(auricleWindow()) }

  /// Waits for a key.
  /// - Returns: nil where none came in time, or one that means nothing.
  func key(within milliseconds: Int) -> TopKey? {
    wtimeout(auricleWindow(), Int32(milliseconds))
    return TopKey(code: wgetch(auricleWindow()))
  }

  private func set(_ style: TopStyle) {
    let (attributes, pair) =
      switch style {
      case .plain: (0, 0)
      case .title: (auricleReverse, 0)
      case .bold: (auricleBold, 0)
      case .dim: (auricleDim, 0)
      case .good: (0, 1)
      case .warning: (auricleBold, 2)
      case .bad: (auricleBold, 3)
      }
    auricleStyle(Int32(attributes), hasColours ? Int16(pair) : 0)
  }
}
