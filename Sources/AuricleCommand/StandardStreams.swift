// The standard streams as they are found, and what becomes of what cannot be written.

import Foundation

/// Standard input, output and error of this process.
enum StandardStreams {
  /// Makes a write that fails a result instead of a signal, and holds the places of streams that
  /// were closed.
  ///
  /// Without something in its place, the next socket would be standard error. What holds the place
  /// is opened the wrong way round, so that writing fails as it does to a closed stream.
  /// - Thread: [control], before any other thread
  static func prepare() {
    // A reader that has gone, a terminal that stops background jobs, a limit on a file's size.
    for number in [SIGPIPE, SIGTTOU, SIGXFSZ] { signal(number, SIG_IGN) }
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // Takes the lowest number that is free, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// Lines on standard output. They are not buffered: whoever waits for "ready" in a pipe gets it.
enum StandardOutput {
  /// Writes lines for people, as `harmless` has them.
  /// - Parameter mayLoseReader: whether a reader that has gone is no error.
  /// - Throws: what is wrong with standard output, with status 1.
  /// - Thread: [control]
  static func write(_ text: String, mayLoseReader: Bool = false) throws(CommandFailure) {
    try writeBytes(harmless(text), mayLoseReader: mayLoseReader)
  }

  /// Writes lines for programs, as they are.
  /// - Thread: [control]
  static func writeData(_ text: String) throws(CommandFailure) {
    try writeBytes(text, mayLoseReader: false)
  }

  private static func writeBytes(_ text: String, mayLoseReader: Bool) throws(CommandFailure) {
    var rest = Array((text + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
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
          message: "standard output cannot be written: \(String(cString: strerror(error)))",
          status: 1)
      }
    }
  }
}
