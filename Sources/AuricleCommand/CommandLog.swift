// A log handler that writes lines to standard error.

import Logging

/// Log lines such as "auricle: warning: text"; `info` and below only with --verbose.
struct CommandLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let kind = event.level <= .notice ? "" : "\(event.level): "
    StandardError.write("auricle: \(kind)\(harmless("\(event.message)", isOneLine: true))")
  }

  /// Makes it the handler of all logs in the process.
  static func install(isVerbose: Bool) {
    LoggingSystem.bootstrap { _ in CommandLog(logLevel: isVerbose ? .debug : .notice) }
  }
}
