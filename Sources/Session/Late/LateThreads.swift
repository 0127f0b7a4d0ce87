// The threads on which changes wait for files.

import Foundation
import SessionModel
import Synchronization

/// Runs work on threads of its own: what waits for a file there keeps none of the few threads that
/// run everything else. A thread ends when it has had nothing to do for a while.
final class LateThreads: TaskExecutor {
  /// How many jobs may wait for files at once; others come behind them.
  static let most = 16
  private static let idleSeconds = 5.0
  private static let stackBytes = 2 << 20

  private struct State {
    var jobs: [UnownedJob] = []
    var threads = 0
    var idle = 0
  }

  private let state = Mutex(State())
  private let hasJob = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isNewThreadWanted = state.withLock { state in
      state.jobs.append(job)
      guard state.jobs.count > state.idle, state.threads < Self.most else { return false }
      state.threads += 1
      return true
    }
    hasJob.signal()
    if isNewThreadWanted { start() }
  }

  private func start() {
    let thread = Thread { [self] in run() }
    thread.name = "auricle-late"
    thread.stackSize = Self.stackBytes
    thread.start()
  }

  private func run() {
    while true {
      state.withLock { $0.idle += 1 }
      _ = hasJob.wait(timeout: .now() + Self.idleSeconds)
      // Also after the time is up: a job may just have come.
      let (job, isLast) = state.withLock { state in
        state.idle -= 1
        let job = state.jobs.isEmpty ? nil : state.jobs.removeFirst()
        if job == nil { state.threads -= 1 }
        return (job, job == nil)
      }
      if isLast { return }
      job?.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
