// What `auricle top` shows.

import SessionModel

/// All that is known of the sessions at one moment.
struct TopState: Equatable {
  var sessions: [TopSession] = []
  /// The one that is looked for, nil for all.
  var wanted: String?
  /// Sessions that came and went, the last one last.
  var news: [String] = []
  /// The time of day.
  var clock = ""
}

/// A session as it was seen last.
struct TopSession: Equatable {
  var name: String
  /// What it answered last; nil before the first answer.
  var status: SessionStatus?
  /// For how many seconds it has not answered, nil while it does.
  var silentSeconds: Int?
  /// Why it is not understood, nil where it is.
  var problem: String?
}

/// How much room there is, and what can be written there.
struct TopFrame: Equatable {
  var columns: Int
  /// Nil for as many as it takes.
  var rows: Int?
  /// Whether there is more than ASCII.
  var isUnicode = true
  /// How many lines between head and foot are passed by.
  var scroll = 0
}

/// How a part of a line looks.
enum TopStyle: Equatable {
  case plain, title, bold, dim
  case good, warning, bad
}

/// A part of a line.
struct TopSpan: Equatable {
  var text: String
  var style = TopStyle.plain
}

/// A line of at most as many cells as there are columns.
typealias TopRow = [TopSpan]
