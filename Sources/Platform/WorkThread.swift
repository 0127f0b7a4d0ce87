// A thread that repeats a task at intervals.

import Dispatch
import Glibc
import Synchronization

/// Repeats a task until `end` is called.
public final class WorkThread: Sendable {
  private let isEnding = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// - Parameter pause: between two runs, in microseconds.
  /// - Thread: [control]
  public init(_ name: StaticString, pause: UInt32, _ work: @escaping @Sendable () -> Void) {
    startThread(name) { [self] in
      while !isEnding.load(ordering: .acquiring) {
        work()
        usleep(pause)
      }
      hasEnded.signal()
    }
  }

  /// Ends the thread and waits for it. Call once.
  /// - Thread: [control]
  public func end() {
    isEnding.store(true, ordering: .releasing)
    hasEnded.wait()
  }
}
