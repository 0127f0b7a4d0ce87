// Standard error, where messages go: it never stops what goes on, whatever becomes of it.

import Foundation
import Synchronization

/// Lines on standard error. What cannot be written is lost: a full disk, a reader that has gone or
/// a terminal that is held up is no reason to end a session, nor to let it wait.
enum StandardError {
  private struct State {
    /// Lines that found no room since the last one that did.
    var lost = 0
    /// Whether a line has been begun that goes on.
    var isWithinLine = false
  }

  private static let state = Mutex(State())
  /// How long the first line waits for room, in milliseconds; those after it do not wait.
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
      // A progress is written anew below.
      if state.isWithinLine { state.isWithinLine = !put(eraser, within: 0) }
      if !put(harmless(line) + "\n", within: patience) { state.lost += 1 }
    }
  }

  /// Writes a line anew, without its end; an empty one ends it. What is written next is written
  /// over it.
  /// - Thread: [control]
  static func rewriteLine(_ text: String) {
    state.withLock { state in
      _ = put("\r\(text)\u{1B}[K", within: 0)
      state.isWithinLine = !text.isEmpty
    }
  }

  private static let eraser = "\r\u{1B}[K"

  /// Writes a text as far as it finds room.
  /// - Returns: false when it found none; an error counts as written, for nobody will ever read it.
  private static func put(_ text: String, within milliseconds: Int32) -> Bool {
    // So much a pipe takes without making anybody wait, when it takes anything.
    let pieceBytes = 4096
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      var readiness = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
      let answer = poll(&readiness, 1, milliseconds)
      if answer == 0 { return false }
      if answer < 0 && errno == EINTR { continue }
      let count = rest.prefix(pieceBytes).withUnsafeBytes {
        Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count)
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
