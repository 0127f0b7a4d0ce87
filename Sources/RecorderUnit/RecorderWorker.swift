// The thread that writes what a recorder captures.

import Foundation
import Synchronization
import UnitModel

/// Has takes written, a few times in a second and whenever somebody asks.
final class RecorderWorker: Sendable {
  private struct State: ~Copyable, Sendable {
    nonisolated(unsafe) var takes: Takes?
    var thread: WorkThread?
  }

  /// Held while the disk is written to.
  private let state = Mutex(State())
  /// Never waits for a disk.
  let news = TakeNotices()
  private let writesByItself: Bool

  init(writesByItself: Bool) { self.writesByItself = writesByItself }

  /// Ends what was written before, and goes on with other takes.
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

  /// Ends it all, what was written too.
  func close() {
    let thread = state.withLock { state in
      state.takes?.close()
      state.takes = nil
      return state.thread.take()
    }
    thread?.end()
  }
}
