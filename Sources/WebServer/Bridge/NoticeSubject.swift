// The subjects of notices.

import FoundationEssentials

/// The keys of a notice that make its subject.
private struct Notice: Decodable {
  struct Change: Decodable { let path: String }
  struct Bypass: Decodable { let unit: String }

  let change: Change?
  let bypass: Bypass?
}

/// The subjects of notices: a newer notice replaces a waiting one of the same subject, unless both
/// are of MIDI.
enum NoticeSubject {
  /// The subject of notices that have events, and so do not replace each other.
  static let midi = "midi"
  private static let topics = ["meters", "graph", "session", "load", "spectra", midi]

  /// Returns the subject of a line of a session; nil for an unknown one.
  static func of(_ line: [UInt8]) -> String? {
    guard let notice = try? JSONDecoder().decode(Notice.self, from: Data(line)) else { return nil }
    if let change = notice.change { return "change/\(change.path)" }
    if let bypass = notice.bypass { return "bypass/\(bypass.unit)" }
    // The topics of a watch, an object each.
    return topics.first { line.starts(with: Array("{\"\($0)\":".utf8)) }
  }
}
