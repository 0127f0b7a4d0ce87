// Decision about the meaning of a signal.

import SessionModel
import Synchronization

/// Decides the meaning of a process's signals: the `SignalStream` that was made last is asked.
package enum SignalTaker {
  /// Returns whether a signal requests an end.
  typealias Taker = @Sendable (Int32) -> Bool

  private static let taker = Mutex<Taker?>(nil)

  /// Sets the function that takes signals.
  static func take(_ take: @escaping Taker) {
    taker.withLock { $0 = take }
  }

  /// Hands a signal to the function that takes signals.
  ///
  /// - Returns: whether it requests an end; nil if there is no such function.
  /// - Thread: [control]
  package static func asksForEnd(_ signal: Int32) -> Bool? {
    // Called outside the lock.
    let taker = taker.withLock { $0 }
    return taker?(signal)
  }
}
