// A thread that repeats a task at intervals.

import Foundation
import Synchronization

/// Repeats a task until `end` is called.
final class WorkThread: Sendable {
  private let isEnding = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// - Parameter pause: between two runs, in microseconds.
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

  /// Ends the thread and waits for it. Call once.
  func end() {
    isEnding.store(true, ordering: .releasing)
    hasEnded.wait()
  }
}
