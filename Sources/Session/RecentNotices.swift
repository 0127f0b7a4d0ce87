// Latest messages of a session's log.

import FoundationEssentials
import Glibc
import Logging
import SessionModel
import Synchronization

/// The last messages at notice and above. Older ones are dropped.
package final class RecentNotices: Sendable {
  /// Maximum number of messages, and of characters in each.
  static let (capacity, textLength) = (32, 500)

  private let kept = Mutex<[NoticeReading]>([])

  package init() {}

  /// Messages, the oldest first.
  /// - Thread: [any]
  var lines: [NoticeReading] { kept.withLock { $0 } }

  /// - Thread: [any]
  func add(_ level: Logger.Level, _ text: String, at time: Date = Date()) {
    let notice = NoticeReading(
      time: (time.timeIntervalSince1970 * 1000).rounded() / 1000, level: level.rawValue,
      text: String(text.prefix(Self.textLength)))
    kept.withLock { kept in
      if kept.count == Self.capacity { kept.removeFirst() }
      kept.append(notice)
    }
  }

  /// Returns the log with a handler that keeps its messages here.
  package func recording(_ log: Logger) -> Logger {
    var log = log
    log.handler = NoticeRecorder(inner: log.handler, notices: self)
    return log
  }
}

/// Keeps messages, and passes them to another handler.
private struct NoticeRecorder: LogHandler {
  var inner: any LogHandler
  let notices: RecentNotices

  var logLevel: Logger.Level {
    get { inner.logLevel }
    set { inner.logLevel = newValue }
  }

  var metadata: Logger.Metadata {
    get { inner.metadata }
    set { inner.metadata = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { inner[metadataKey: key] }
    set { inner[metadataKey: key] = newValue }
  }

  func log(event: LogEvent) {
    if event.level >= .notice { notices.add(event.level, "\(event.message)") }
    inner.log(event: event)
  }
}
