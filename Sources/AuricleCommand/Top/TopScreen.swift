// The terminal screen of `auricle top`.

import CCurses
import FoundationEssentials
import Glibc

/// A key of the view.
enum TopKey: Equatable {
  case quit
  /// Scrolls by lines or pages.
  case lines(Int)
  case pages(Int)
  case start
  case end
  /// The terminal's size has changed, or a redraw was requested.
  case redraw

  /// - Parameter code: by ncurses; the result is nil for an unused key.
  init?(code: Int32) {
    switch code {
    // q, Q, and Ctrl-C if the terminal sends no signal for it.
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

  /// Returns the new scroll position.
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

/// The terminal of standard input and output, in its alternate screen with unbuffered keys. ncurses
/// knows its type and writes only changes.
///
/// Used by one thread; one at a time in a process.
final class TopScreen {
  private let hasColours: Bool

  /// - Returns: nil for an unknown terminal.
  init?() {
    var settings = termios()
    tcgetattr(STDIN_FILENO, &settings)
    guard auricleScreenOpen() != nil else { return nil }
    TerminalRescue.begin(settings)
    // A single Escape is not used.
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

  /// Restores the terminal.
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

  /// Makes the next `show` redraw everything.
  func clear() { wclear(auricleWindow()) }

  /// Waits for a key.
  /// - Returns: nil after the time, or for an unused key.
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
