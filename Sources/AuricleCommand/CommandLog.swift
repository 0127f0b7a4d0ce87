// Log messages as lines on standard error.

import Logging

/// Writes "auricle: warning: text" lines; `info` and below only with --verbose.
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

  /// Sends every log of the process here.
  static func install(isVerbose: Bool) {
    LoggingSystem.bootstrap { _ in CommandLog(logLevel: isVerbose ? .debug : .notice) }
  }
}
