// Rendering the branches of a schedule.

import Realtime
import UnitRender

extension Schedule {
  /// Renders all branches of a slice, shared with the helper while that is faster.
  ///
  /// - Parameter time: as in `renderSteps`.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func renderBranches(
    _ cycle: RenderCycle, offset: Int, frameCount: Int, time: inout UInt64
  ) {
    let takesMeasure = offset == 0 && storage.pointee.team.takesMeasure()
    let job = HelperJob(
      schedule: self, cycle: cycle, offset: offset, frameCount: frameCount,
      takesMeasure: takesMeasure, hasMeters: time != 0)
    let count = storage.pointee.team.count
    if let helperState = storage.pointee.team.helperState, storage.pointee.team.isShared {
      helperState.open(job, count: count)
      while let position = helperState.claim() {
        renderBranch(at: position, job)
        helperState.finish()
      }
      helperState.wait()
    } else {
      var position = 0
      while position < count {
        renderBranch(at: position, job)
        position &+= 1
      }
    }
    if takesMeasure { storage.pointee.team.decide() }
    if time != 0 { time = Vouched.nanoseconds() }
  }

  /// - Parameter position: in the order of branches.
  /// - Thread: [render], or its helper.
  @_noLocks @_noAllocation
  func renderBranch(at position: Int, _ job: HelperJob) {
    let team = storage.pointee.team
    let branch = team.branches + team.order[position]
    let isTimed = job.takesMeasure || job.hasMeters
    let start = isTimed ? Vouched.nanoseconds() : 0
    var time = job.hasMeters ? start : 0
    renderSteps(
      from: branch.pointee.firstStep, count: branch.pointee.stepCount, job.cycle, chain: -1,
      offset: job.offset, frameCount: job.frameCount, time: &time)
    if job.takesMeasure {
      branch.pointee.nanoseconds = Int(truncatingIfNeeded: Vouched.nanoseconds() &- start)
    }
  }
}
