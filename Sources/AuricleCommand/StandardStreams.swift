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
  /// - Parameter needsReader: whether a reader that has gone is an error; otherwise it wants no
  ///   more, as `head`.
  /// - Throws: an error of standard output, with status 1.
  /// - Thread: [control]
  static func write(_ text: String, needsReader: Bool = false) throws(CommandFailure) {
    try writeBytes(harmless(text), needsReader)
  }

  /// Writes lines for programs, unchanged.
  /// - Parameter needsReader: as in `write`.
  /// - Thread: [control]
  static func writeData(_ text: String, needsReader: Bool = false) throws(CommandFailure) {
    try writeBytes(text, needsReader)
  }

  private static func writeBytes(_ text: String, _ needsReader: Bool) throws(CommandFailure) {
    var rest = Array((text + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: break
      case EPIPE where !needsReader: return
      case EAGAIN:
        var readiness = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&readiness, 1, -1)
      case let error: throw failure(error)
      }
    }
  }

  /// Writes the front of a text for programs, as far as the output accepts it, and removes it.
  /// - Parameter milliseconds: how long to wait for the output to accept more.
  /// - Throws: an error of standard output, with status 1.
  /// - Thread: [control]
  static func write(
    _ text: inout ArraySlice<UInt8>, within milliseconds: Int32
  ) throws(CommandFailure) {
    // A pipe that accepts any bytes accepts this many without blocking.
    let pieceBytes = 4096
    while !text.isEmpty {
      var readiness = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
      let answer = poll(&readiness, 1, milliseconds)
      if answer == 0 { return }
      if answer < 0 && errno == EINTR { continue }
      let count = text.prefix(pieceBytes).withUnsafeBytes {
        Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        text = text.dropFirst(count)
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        throw failure(errno)
      }
    }
  }

  private static func failure(_ error: Int32) -> CommandFailure {
    CommandFailure(
      message: "standard output cannot be written: \(SystemError(number: error))", status: 1)
  }
}
