// Branches: parts of a schedule that can be rendered in parallel.

import Realtime

/// Step ranges that may be rendered in parallel: none touches memory written by another. Steps
/// before the first range run before all of them, steps after the last range after all.
public struct ScheduleBranches: Sendable, Equatable {
  /// The ranges of steps, in ascending order.
  public var steps: [Range<Int>] = []

  public init(steps: [Range<Int>] = []) { self.steps = steps }
}

/// A branch on the render side.
struct ScheduleBranch: BitwiseCopyable {
  let firstStep: Int
  let stepCount: Int
  /// The last measured time, and a running average.
  var nanoseconds = 0
  var usualNanoseconds = 0
}

/// The branches of a schedule, and whether sharing them with the helper is faster.
struct BranchTeam: BitwiseCopyable {
  /// One of this many slices is measured.
  private static var pause: Int { @_noLocks @_noAllocation get { 16 } }

  let branches: UnsafeMutablePointer<ScheduleBranch>
  let count: Int
  /// The branches' indices, the slowest first.
  let order: UnsafeMutablePointer<Int>
  /// State shared with the helper; nil if one thread renders all branches.
  let helperState: HelperState?
  /// The number of slices until the next measurement.
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

  /// Whether to measure the slice that begins.
  @_noLocks @_noAllocation
  mutating func takesMeasure() -> Bool {
    if helperState == nil { return false }
    wait &-= 1
    if wait >= 0 { return false }
    wait = Self.pause &- 1
    return true
  }

  /// Updates the averages, the order of the branches, and whether to share them.
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

  /// Sorts by insertion: costs change little between measurements.
  @_noLocks @_noAllocation
  private func sort() {
    var position = 1
    while position < count {
      let branch = order[position]
      var other = position
      while other > 0
        && branches[order[other &- 1]].usualNanoseconds < branches[branch].usualNanoseconds
      {
        order[other] = order[other &- 1]
        other &-= 1
      }
      order[other] = branch
      position &+= 1
    }
  }
}
