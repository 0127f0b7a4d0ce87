// Ends a process whose `exit` hangs.

import Dispatch
import Glibc
import Platform
import Synchronization

/// A thread that ends the process if `exit` does not.
///
/// libjack cancels its threads wherever they are. If one is in the dynamic loader, it leaves a lock
/// taken that `exit` and every new thread need. So this thread is started at the beginning. (Seen
/// with jackd 1.9.21, once in some hundred servers that were killed while a client started.)
final class EndingWatch: Sendable {
  /// The limit for `exit`, which looks for leaks under AddressSanitizer.
  private static let patienceSeconds: UInt32 = 10

  private let begun = DispatchSemaphore(value: 0)
  private let known = Mutex<Int32?>(nil)

  init() {
    startThread("ending") { [self] in
      begun.wait()
      sleep(Self.patienceSeconds)
      _exit(status ?? 1)
    }
  }

  /// The exit status of the process; nil until all work is done.
  /// - Thread: [any]
  var status: Int32? { known.withLock { $0 } }

  /// Starts the time limit of `exit`.
  /// - Parameter status: the exit status of the process.
  /// - Thread: [any], once.
  func begin(_ status: Int32) {
    known.withLock { $0 = status }
    begun.signal()
  }
}
