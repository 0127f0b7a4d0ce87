// State of the view of `auricle top`.

import SessionModel

/// State of all sessions at one moment.
struct TopState: Equatable {
  var sessions: [TopSession] = []
  /// Name of the requested session; nil for all.
  var wanted: String?
  /// Messages about sessions that started or ended, the last one last.
  var news: [String] = []
  /// The time of day.
  var clock = ""
}

/// Last known state of a session.
struct TopSession: Equatable {
  var name: String
  /// The last received status; nil before the first answer.
  var status: SessionStatus?
  /// The current levels, which rise at once and fall slowly; empty before the first ones.
  var levels: [String: UnitMeters] = [:]
  /// Seconds without an answer; nil while it answers.
  var silentSeconds: Int?
  /// The error in its answer; nil if there is none.
  var problem: String?
}

/// Size of the terminal, its characters, and the scroll position.
struct TopFrame: Equatable {
  var columns: Int
  /// The number of rows; nil for no limit.
  var rows: Int?
  /// Whether characters beyond ASCII can be shown.
  var isUnicode = true
  /// The number of lines scrolled past, between head and foot.
  var scroll = 0
}

/// Text styles.
enum TopStyle: Equatable {
  case plain, title, bold, dim
  case good, warning, bad
}

/// A part of a line, in one style.
struct TopSpan: Equatable {
  var text: String
  var style = TopStyle.plain
}

/// A line, at most as wide as the terminal.
typealias TopRow = [TopSpan]
