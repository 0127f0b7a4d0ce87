// Ends a process whose `exit` does not.

import Foundation
import Synchronization

/// A thread that waits for the end of a process, and ends it where `exit` does not come to that.
///
/// libjack cancels its threads wherever they are. One that is in the dynamic loader just then
/// leaves a lock taken that `exit` needs, and so does every new thread (seen with jackd 1.9.21,
/// once in some hundred servers that were killed while a client started). So the thread is there
/// from the beginning.
final class EndingWatch: Sendable {
  /// What `exit` may take, which under AddressSanitizer looks for leaks.
  private static let patienceSeconds: UInt32 = 10

  private let begun = DispatchSemaphore(value: 0)
  private let known = Mutex<Int32?>(nil)

  init() {
    Thread.detachNewThread { [self] in
      begun.wait()
      sleep(Self.patienceSeconds)
      _exit(status ?? 1)
    }
  }

  /// That of the process, nil before all work is done.
  /// - Thread: [any]
  var status: Int32? { known.withLock { $0 } }

  /// Gives `exit` its time.
  /// - Parameter status: that of the process.
  /// - Thread: [any], once.
  func begin(_ status: Int32) {
    known.withLock { $0 = status }
    begun.signal()
  }
}
