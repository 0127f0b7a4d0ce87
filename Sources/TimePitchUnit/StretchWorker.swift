// The stretching thread of a unit.

import CRealtime
import Dispatch
import Glibc
import Platform
import Realtime
import Synchronization

/// Stretches the blocks of a queue, one after the other.
final class StretchWorker: @unchecked Sendable {
  let line: StretchQueue
  let report: StretchReport
  /// Used by the serving thread.
  private let stretcher: Stretcher
  private let hasThread: Bool
  private let isEnding = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// - Parameter worksByItself: whether it has a thread; otherwise the caller of `serve` does the
  ///   work.
  /// - Thread: [control]
  init(
    _ timing: StretchTiming, channelCount: Int, sampleRate: Double, report: StretchReport,
    worksByItself: Bool
  ) {
    line = StretchQueue(slotCount: timing.slotCount, channelCount: channelCount)
    self.report = report
    stretcher = Stretcher(
      timing, channelCount: channelCount, sampleRate: sampleRate, report: report)
    hasThread = worksByItself
    if !worksByItself { return }
    startThread("time-pitch") { [self] in work() }
  }

  deinit { line.deallocate() }

  /// Ends the thread and waits for it. Call once.
  ///
  /// - Thread: [control]
  func end() {
    isEnding.store(true, ordering: .releasing)
    if hasThread { hasEnded.wait() }
  }

  /// Stretches a requested block.
  ///
  /// - Returns: whether there was a request.
  /// - Thread: [worker], or the thread of a host without one
  func serve() -> Bool {
    guard let slot = line.requests.tryReceive() else { return false }
    if line[slot].head.pointee.epoch == line.epoch { stretcher.make(line[slot]) }
    // The ring of answers is as large as that of requests.
    _ = line.answers.trySend(slot)
    return true
  }

  private func work() {
    // Decaying tails become denormal, which slows the processor.
    let mode = denormalsFlush()
    var idleTurns = 0
    var isUrgent = false
    while !isEnding.load(ordering: .acquiring) {
      let isLive = report.words[StretchCount.isLive] == 1
      if isLive != isUrgent {
        isUrgent = isLive
        setUrgency(isLive)
      }
      if serve() {
        idleTurns = 0
      } else {
        // Short compared to the time of a block; longer while nothing is rendered.
        idleTurns = min(idleTurns + 1, 200)
        usleep(idleTurns < 200 ? 1000 : 10_000)
      }
    }
    denormalsRestore(mode)
    hasEnded.signal()
  }

  /// Gives the thread the lowest realtime priority, as its blocks are due, or a normal one. If that
  /// is not allowed, it keeps a normal one.
  private func setUrgency(_ isUrgent: Bool) {
    var parameter = sched_param(sched_priority: isUrgent ? sched_get_priority_min(SCHED_FIFO) : 0)
    _ = pthread_setschedparam(pthread_self(), isUrgent ? SCHED_FIFO : SCHED_OTHER, &parameter)
  }
}
