// The parts of a schedule that do not need each other.

import Realtime

/// Where the branches of a schedule are: parts of its steps of which none reads or writes what
/// another one writes. What stands before the first one comes before all, what stands behind the
/// last one behind all.
public struct ScheduleBranches: Sendable, Equatable {
  /// One behind the other.
  public var steps: [Range<Int>] = []

  public init(steps: [Range<Int>] = []) { self.steps = steps }
}

/// One of them, on the render side.
struct ScheduleBranch: BitwiseCopyable {
  let firstStep: Int
  let stepCount: Int
  /// What it took when it was measured last, and on average.
  var nanoseconds = 0
  var usualNanoseconds = 0
}

/// The branches of a schedule, and whether it pays to have two threads render them.
struct BranchTeam: BitwiseCopyable {
  /// A slice in so many is measured.
  private static var pause: Int { @_noLocks @_noAllocation get { 16 } }

  let branches: UnsafeMutablePointer<ScheduleBranch>
  let count: Int
  /// Their numbers, the one that takes longest first.
  let order: UnsafeMutablePointer<Int>
  /// Nil where one thread renders all.
  let helperState: HelperState?
  /// Slices until one is measured.
  private var wait = 0
  private var hasMeasured = false
  private(set) var isShared = false

  init(_ branches: ScheduleBranches, _ helperState: HelperState?) {
    count = branches.steps.count
    self.branches = .allocate(capacity: max(count, 1))
    order = .allocate(capacity: max(count, 1))
    for (index, steps) in branches.steps.enumerated() {
      (self.branches + index).initialize(
        to: ScheduleBranch(firstStep: steps.lowerBound, stepCount: steps.count))
      (order + index).initialize(to: index)
    }
    self.helperState = helperState
    isShared = helperState?.isAlwaysUsed ?? false
  }

  func deallocate() {
    branches.deallocate()
    order.deallocate()
  }

  /// Whether the slice that begins is measured.
  @_noLocks @_noAllocation
  mutating func takesMeasure() -> Bool {
    if helperState == nil { return false }
    wait &-= 1
    if wait >= 0 { return false }
    wait = Self.pause &- 1
    return true
  }

  /// Takes what was measured: who shares next time, and who begins.
  @_noLocks @_noAllocation
  mutating func decide() {
    guard let helperState else { return }
    var total = 0
    var longest = 0
    var index = 0
    while index < count {
      let branch = branches + index
      let change = branch.pointee.nanoseconds &- branch.pointee.usualNanoseconds
      branch.pointee.usualNanoseconds &+= hasMeasured ? change / 4 : change
      total &+= branch.pointee.usualNanoseconds
      longest = max(longest, branch.pointee.usualNanoseconds)
      index &+= 1
    }
    hasMeasured = true
    sort()
    if !helperState.isAlwaysUsed {
      isShared = helperState.pays(total: total, longest: longest, isShared: isShared)
    }
  }

  /// Costs change little from one time to the next.
  @_noLocks @_noAllocation
  private func sort() {
    var place = 1
    while place < count {
      let branch = order[place]
      var other = place
      while other > 0
        && branches[order[other &- 1]].usualNanoseconds < branches[branch].usualNanoseconds
      {
        order[other] = order[other &- 1]
        other &-= 1
      }
      order[other] = branch
      place &+= 1
    }
  }
}
