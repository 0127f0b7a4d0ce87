// Log messages for the session manager's window.

import Logging

/// Sends log messages to a session manager; the log has them too.
struct NSMLog: LogHandler {
  let link: NSMLink
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .notice

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let priority: Int32 =
      switch event.level {
      case .error, .critical: 3
      case .warning: 2
      default: 1
      }
    link.send(.message(priority: priority, "\(event.message)"))
  }
}

extension NSMLink {
  /// Returns a log that also sends its notices, warnings and errors to the session manager.
  package func forwarding(_ log: Logger) -> Logger {
    var log = log
    log.handler = MultiplexLogHandler([log.handler, NSMLog(link: self)])
    return log
  }
}
