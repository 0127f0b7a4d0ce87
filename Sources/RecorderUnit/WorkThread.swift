// A thread that does a little now and then.

import Foundation
import Synchronization

/// Does something over and over, until it is told to end.
final class WorkThread: Sendable {
  private let isEnding = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// - Parameter pause: between two times, in microseconds.
  init(_ name: String, pause: UInt32, _ work: @escaping @Sendable () -> Void) {
    let thread = Thread { [self] in
      while !isEnding.load(ordering: .acquiring) {
        work()
        usleep(pause)
      }
      hasEnded.signal()
    }
    thread.name = name
    thread.start()
  }

  /// Waits until it has ended. Once.
  func end() {
    isEnding.store(true, ordering: .releasing)
    hasEnded.wait()
  }
}
