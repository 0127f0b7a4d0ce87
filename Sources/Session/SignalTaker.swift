// Who is asked what a signal means.

import SessionModel
import Synchronization

/// What the thread that takes a process's signals asks: the `SignalStream` that was made last.
package enum SignalTaker {
  /// Tells whether a signal asks for an end.
  typealias Taker = @Sendable (Int32) -> Bool

  private static let taker = Mutex<Taker?>(nil)

  /// Has signals given to `take`.
  static func take(_ take: @escaping Taker) {
    taker.withLock { $0 = take }
  }

  /// Gives a signal to whoever takes them.
  ///
  /// - Returns: whether it asks for an end; nil where nobody takes signals.
  /// - Thread: [control]
  package static func asksForEnd(_ signal: Int32) -> Bool? {
    // Asked outside the lock.
    let taker = taker.withLock { $0 }
    return taker?(signal)
  }
}
