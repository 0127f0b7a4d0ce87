// Standard error for messages; its failures never stop a session.

import Glibc
import Synchronization

/// Lines on standard error. Lines that cannot be written are lost: a full disk, a closed reader or
/// a stopped terminal must neither end a session nor block it.
enum StandardError {
  private struct State {
    /// Lines lost since the last one that was written.
    var lost = 0
    /// Whether the current line is incomplete: a progress line.
    var isWithinLine = false
  }

  private static let state = Mutex(State())
  /// The longest wait to write a line, in milliseconds; none after a lost line.
  private static let patience: Int32 = 250

  /// - Thread: [control]
  static func write(_ line: String) {
    state.withLock { state in
      if state.lost > 0 {
        let news = "auricle: warning: \(state.lost) lines of this log found no room\n"
        guard put(news, within: 0) else {
          state.lost += 1
          return
        }
        state.lost = 0
      }
      // Erases a progress line, which is written again later.
      if state.isWithinLine { state.isWithinLine = !put(eraser, within: 0) }
      if !put(harmless(line) + "\n", within: patience) { state.lost += 1 }
    }
  }

  /// Rewrites the current line, without a line end; an empty text clears it. The next line
  /// overwrites it.
  /// - Thread: [control]
  static func rewriteLine(_ text: String) {
    state.withLock { state in
      _ = put("\r\(text)\u{1B}[K", within: 0)
      state.isWithinLine = !text.isEmpty
    }
  }

  private static let eraser = "\r\u{1B}[K"

  /// Writes a text as far as the output accepts it.
  /// - Returns: false if the output is full. An error counts as written, because no reader is left.
  private static func put(_ text: String, within milliseconds: Int32) -> Bool {
    // A pipe that accepts any bytes accepts this many without blocking.
    let pieceBytes = 4096
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      var readiness = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
      let answer = poll(&readiness, 1, milliseconds)
      if answer == 0 { return false }
      if answer < 0 && errno == EINTR { continue }
      let count = rest.prefix(pieceBytes).withUnsafeBytes {
        Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0 && errno == EAGAIN {
        return false
      } else if !(count < 0 && errno == EINTR) {
        return true
      }
    }
    return true
  }
}
