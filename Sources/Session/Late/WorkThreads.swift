// Threads of a session's own.

import Foundation
import SessionModel
import Synchronization

/// Runs work on threads of its own: what waits there, for files or for a JACK server, keeps none of
/// the few threads that run everything else. A thread ends when it has had nothing to do for a
/// while.
final class WorkThreads: TaskExecutor {
  private static let idleSeconds = 5.0
  private static let stackBytes = 2 << 20

  private struct State {
    var jobs: [UnownedJob] = []
    var threads = 0
    var idle = 0
  }

  private let state = Mutex(State())
  private let hasJob = DispatchSemaphore(value: 0)
  private let name: String
  /// How many jobs may wait at once; others come behind them.
  private let most: Int

  init(_ name: String, most: Int) { (self.name, self.most) = (name, most) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isNewThreadWanted = state.withLock { state in
      state.jobs.append(job)
      guard state.jobs.count > state.idle, state.threads < most else { return false }
      state.threads += 1
      return true
    }
    hasJob.signal()
    if isNewThreadWanted { start() }
  }

  private func start() {
    let thread = Thread { [self] in run() }
    thread.name = name
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
