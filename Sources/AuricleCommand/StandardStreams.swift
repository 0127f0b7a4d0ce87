// Standard streams: closed ones, and errors of writing.

import Files
import Glibc

/// Standard input, output and error of this process.
enum StandardStreams {
  /// Makes failed writes return errors instead of raising signals, and occupies the descriptors of
  /// closed streams.
  ///
  /// Otherwise the next socket could become standard error. The placeholders are opened in the
  /// wrong direction, so that writing fails as on a closed stream.
  /// - Thread: [control], before any other thread
  static func prepare() {
    // Signals of a closed reader, a terminal that stops background jobs, and a file size limit.
    for number in [SIGPIPE, SIGTTOU, SIGXFSZ] { signal(number, SIG_IGN) }
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // Gets the lowest free number, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// Lines on standard output, unbuffered: a reader that waits for "ready" in a pipe receives it.
enum StandardOutput {
  /// Writes lines for people, escaped by `harmless`.
  /// - Parameter mayLoseReader: whether to ignore a closed reader.
  /// - Throws: an error of standard output, with status 1.
  /// - Thread: [control]
  static func write(_ text: String, mayLoseReader: Bool = false) throws(CommandFailure) {
    try writeBytes(harmless(text), mayLoseReader: mayLoseReader)
  }

  /// Writes lines for programs, unchanged.
  /// - Thread: [control]
  static func writeData(_ text: String) throws(CommandFailure) {
    try writeBytes(text, mayLoseReader: false)
  }

  private static func writeBytes(_ text: String, mayLoseReader: Bool) throws(CommandFailure) {
    var rest = Array((text + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: break
      case EPIPE where mayLoseReader: return
      case EAGAIN:
        var readiness = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&readiness, 1, -1)
      case let error:
        throw CommandFailure(
          message: "standard output cannot be written: \(SystemError(number: error))",
          status: 1)
      }
    }
  }
}
