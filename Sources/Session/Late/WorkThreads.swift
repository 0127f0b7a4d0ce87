// Separate threads of a session.

import Dispatch
import Platform
import SessionModel
import Synchronization

/// Runs work on separate threads, so that waiting for files or a JACK server blocks none of the few
/// threads that run everything else. A thread ends after 5 s without work.
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
  private let name: StaticString
  /// Maximum number of jobs at once; further ones are queued.
  private let most: Int

  init(_ name: StaticString, most: Int) { (self.name, self.most) = (name, most) }

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
    startThread(name, stackBytes: Self.stackBytes) { [self] in run() }
  }

  private func run() {
    while true {
      state.withLock { $0.idle += 1 }
      _ = hasJob.wait(timeout: .now() + Self.idleSeconds)
      // Also after a timeout: a job may just have been added.
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
