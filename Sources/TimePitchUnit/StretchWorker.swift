// The thread that stretches for one unit.

import CRealtime
import Foundation
import Realtime
import Synchronization

/// Makes the blocks that come along a line, one after the other.
final class StretchWorker: @unchecked Sendable {
  let line: StretchQueue
  let report: StretchReport
  /// Used by whoever serves.
  private let stretcher: Stretcher
  private let hasThread: Bool
  private let isEnding = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// - Parameter worksByItself: whether there is a thread; otherwise whoever calls `serve`.
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
    let thread = Thread { [self] in work() }
    thread.name = "time-pitch"
    thread.start()
  }

  deinit { line.deallocate() }

  /// Waits until nobody stretches any more. Once.
  ///
  /// - Thread: [control]
  func end() {
    isEnding.store(true, ordering: .releasing)
    if hasThread { hasEnded.wait() }
  }

  /// Makes a block.
  ///
  /// - Returns: whether there was one.
  /// - Thread: [worker], or that of a host that has no other
  func serve() -> Bool {
    guard let slot = line.requests.tryReceive() else { return false }
    if line[slot].head.pointee.epoch == line.epoch { stretcher.make(line[slot]) }
    // As many answers as requests have room.
    _ = line.answers.trySend(slot)
    return true
  }

  private func work() {
    // What rings out becomes too small for the processor to be fast.
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
        // A small part of the time that a block may take; longer where nothing is rendered.
        idleTurns = min(idleTurns + 1, 200)
        usleep(idleTurns < 200 ? 1000 : 10_000)
      }
    }
    denormalsRestore(mode)
    hasEnded.signal()
  }

  /// Has the thread run before all that is not realtime, and behind what is: what it makes is due.
  /// Where that is not allowed, it runs as any other.
  private func setUrgency(_ isUrgent: Bool) {
    var parameter = sched_param(sched_priority: isUrgent ? sched_get_priority_min(SCHED_FIFO) : 0)
    _ = pthread_setschedparam(pthread_self(), isUrgent ? SCHED_FIFO : SCHED_OTHER, &parameter)
  }
}
