// Log messages of a session under test.

import Logging
import Synchronization

/// Collects log messages, one line each.
public final class LogRecorder: Sendable {
  private let kept = Mutex<[String]>([])
  private let follow: @Sendable (String) -> Void

  /// - Parameter follow: called with each line when it is logged.
  public init(_ follow: @escaping @Sendable (String) -> Void = { _ in }) { self.follow = follow }

  public var text: String { kept.withLock { $0.map { $0 + "\n" }.joined() } }

  public var logger: Logger { Logger(label: "test") { _ in Handler(recorder: self) } }

  /// Returns the lines logged since the last call, and removes them.
  public func take() -> String {
    kept.withLock { lines in
      defer { lines = [] }
      return lines.map { $0 + "\n" }.joined()
    }
  }

  private struct Handler: LogHandler {
    let recorder: LogRecorder
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.notice

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let line = "\(event.level): \(event.message)"
      recorder.kept.withLock { $0.append(line) }
      recorder.follow(line)
    }
  }
}
