// The lines of auricle monitor.

import FoundationEssentials
import Tools

/// Writes an event as words in columns, or as an object of JSON.
struct MonitorFormat {
  private let encoder: JSONEncoder?

  init(json: Bool) {
    encoder = json ? JSONEncoder() : nil
    encoder?.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Returns a line without its end, which terminals can show.
  ///
  /// - Parameter sourceWidth: the width of the column with the source; nil for no column.
  func text(_ event: MonitoredEvent, sourceWidth: Int?) -> String {
    guard let encoder else {
      return harmless(event.text(sourceWidth: sourceWidth), isOneLine: true)
    }
    guard let object = try? encoder.encode(event) else {
      preconditionFailure("numbers and texts can be encoded")
    }
    return String(decoding: object, as: UTF8.self)
  }
}
