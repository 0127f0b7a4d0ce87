// The thread that writes a recorder's takes.

import Glibc
import Platform
import Synchronization
import UnitModel

/// Writes takes every 20 ms and on request.
final class RecorderWorker: Sendable {
  private struct State: ~Copyable, Sendable {
    nonisolated(unsafe) var takes: Takes?
    var thread: WorkThread?
  }

  /// Locked while the disk is written to.
  private let state = Mutex(State())
  /// Never locked during disk access.
  let news = TakeNotices()
  private let writesByItself: Bool

  init(writesByItself: Bool) { self.writesByItself = writesByItself }

  /// Completes the previous takes, and continues with other ones.
  func begin(_ makeTakes: (TakeNotices) -> Takes) {
    state.withLock { state in
      state.takes?.close()
      state.takes = makeTakes(news)
      if writesByItself, state.thread == nil {
        state.thread = WorkThread("recorder", pause: 20_000) { [self] in drain() }
      }
    }
  }

  func drain() { state.withLock { $0.takes?.drain() } }

  func finish() { state.withLock { $0.takes?.close() } }

  /// Completes the take and ends the thread.
  func close() {
    let thread = state.withLock { state in
      state.takes?.close()
      state.takes = nil
      return state.thread.take()
    }
    thread?.end()
  }
}
