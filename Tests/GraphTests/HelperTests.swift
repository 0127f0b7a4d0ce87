// The second render thread, and the decisions on its use.

import Foundation
import OfflineBackend
import Synchronization
import TestSupport
import Testing
import UnitModel
import UnitRender

@testable import Graph
@testable import GraphRender

/// Two sources that render only together, each on its own thread.
private struct Meeting: BitwiseCopyable {
  struct State: ~Copyable {
    /// Calls that have begun, of both sources.
    let arrivals = Atomic(0)
  }

  let state: UnsafeMutablePointer<State>

  init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  func deallocate() {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Makes a source that writes the number of its call, or 0 if the other source is not called.
  func source() throws -> SourceUnit { try SourceUnit(channels: 1, context: state, render: meet) }

  /// Makes a source that renders slowly.
  func slowSource() throws -> SourceUnit {
    try SourceUnit(channels: 1, context: state, render: takeLong)
  }
}

@_noLocks @_noAllocation
private func meet(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  let state = context.assumingMemoryBound(to: Meeting.State.self)
  let arrived = state.pointee.arrivals.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
  let number = (arrived &+ 1) >> 1
  var turns = 0
  // Waits for seconds only if the other source is not called.
  while state.pointee.arrivals.load(ordering: .acquiring) < number << 1 && turns < 1 << 28 {
    turns &+= 1
  }
  let isMet = state.pointee.arrivals.load(ordering: .acquiring) >= number << 1
  // The second caller continues later: the helper, because it had to be woken.
  if arrived & 1 == 0 { spin(state, turns: 1 << 21) }
  let view = RenderCallView(call)
  guard let samples = view.output(0)[0] else { return -1 }
  var frame = 0
  while frame < view.frameCount {
    samples[frame] = isMet ? Float(number) : 0
    frame &+= 1
  }
  return 0
}

@_noLocks @_noAllocation
private func spin(_ state: UnsafeMutablePointer<Meeting.State>, turns: Int) {
  var turn = 0
  while turn < turns && state.pointee.arrivals.load(ordering: .relaxed) >= 0 { turn &+= 1 }
}

@_noLocks @_noAllocation
private func takeLong(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  spin(context.assumingMemoryBound(to: Meeting.State.self), turns: 1 << 16)
  return 0
}

@Suite struct HelperTests {
  private func options(_ helper: RenderHelper?) -> CompileOptions {
    CompileOptions(sampleRate: 48_000, maximumFrames: 64, isOffline: true, helper: helper)
  }

  @Test func branchesAreRenderedAtOnceAndTheirSumWaitsForBoth() throws {
    let meeting = Meeting()
    let graph = Graph()
    for id in ["one", "other"] { try graph.add(meeting.source(), id: id) }
    try graph.add(ProbeUnit(), id: "sum")
    for unit in 0..<2 {
      try graph.connect(unit, 2)
      try graph.exposeOutput(GraphBus(unit: unit, bus: 0))
    }
    let helper = try #require(RenderHelper(.always))
    let renderer = OfflineRenderer(try graph.compile(options(helper)), periodCapacity: 256)
    // Renders in slices of 64 frames.
    let output = renderer.render(frameCount: 256)
    let numbers = (0..<256).map { Float($0 / 64 + 1) }
    #expect(output == [numbers, numbers, numbers.map { 2 * $0 }])
    #expect(helper.helpedCount == 4)
    meeting.deallocate()
  }

  @Test func theSumOfBranchesIsMeasuredByItself() throws {
    let meeting = Meeting()
    let graph = Graph()
    for id in ["one", "other"] {
      try graph.add(meeting.slowSource(), id: id)
    }
    try graph.add(ProbeUnit(), id: "sum")
    for unit in 0..<2 { try graph.connect(unit, 2) }
    let helper = try #require(RenderHelper(.always))
    let renderer = OfflineRenderer(try graph.compile(options(helper)))
    renderer.graph.schedule.meters.isOn = true
    // Measured times may include those of other processes, so one of 20 attempts is enough.
    let isLess = (0..<20).contains { _ in
      for _ in 0..<50 { _ = renderer.render(frameCount: 64) }
      let costs = renderer.graph.schedule.meters.take().units.map(\.nanoseconds)
      return costs[2] < min(costs[0], costs[1])
    }
    #expect(isLess)
    meeting.deallocate()
  }

  @Test func withoutThePriorityOneThreadRendersAll() throws {
    let asked = Mutex(0)
    let helper = try #require(
      RenderHelper(.always) { _ in
        asked.withLock { $0 += 1 }
        return false
      })
    for _ in 0..<2 {
      let graph = Graph()
      for unit in 0..<2 { try graph.add(ProbeUnit(), id: "u\(unit)") }
      let renderer = OfflineRenderer(try graph.compile(options(helper)))
      let input = [Signal.noise(frames: 64, seed: 1), Signal.noise(frames: 64, seed: 2)]
      #expect(renderer.run(frames: 64, input: input) == input)
    }
    #expect(helper.helperState() == nil)
    #expect(asked.withLock { $0 } == 1)
    #expect(RenderHelper(.never) == nil)
  }

  @Test func theSecondThreadIsAlwaysUsedOnlyOnRequest() throws {
    let (measured, forced) = (
      try #require(RenderHelper(.whereFaster)), try #require(RenderHelper(.always))
    )
    // On a machine with one core there is nothing to measure.
    #expect(measured.helperState()?.isAlwaysUsed != true)
    #expect(forced.helperState()?.isAlwaysUsed == true)
  }

  /// The thread begins with the first graph that can use it.
  @Test func theThreadEndsWithItsHelper() async throws {
    let task = Mutex<Int32?>(nil)
    var helper = RenderHelper(.always) { thread in
      // The identifier of a thread's clock contains the thread's number.
      var clock = clockid_t()
      guard pthread_getcpuclockid(thread, &clock) == 0 else { return false }
      task.withLock { $0 = ~(clock >> 3) }
      return true
    }
    let graph = Graph()
    try graph.add(ProbeUnit(), id: "one")
    _ = try graph.compile(options(helper))
    #expect(task.withLock { $0 } == nil)
    try graph.add(ProbeUnit(), id: "other")
    var compiled: CompiledGraph? = try graph.compile(options(helper))
    let number = try #require(task.withLock { $0 })
    let path = "/proc/self/task/\(number)"
    #expect(FileManager.default.fileExists(atPath: path))
    helper = nil
    #expect(FileManager.default.fileExists(atPath: path))
    compiled = nil
    withExtendedLifetime(compiled) {}
    #expect(await eventually { !FileManager.default.fileExists(atPath: path) })
  }

  // MARK: Decisions

  private func team(_ helperState: HelperState?, _ count: Int) -> BranchTeam {
    BranchTeam(ScheduleBranches(steps: (0..<count).map { $0..<$0 + 1 }), helperState)
  }

  @Test func aSliceIn16IsMeasured() {
    let helperState = HelperState(isAlwaysUsed: false)
    defer { helperState.deallocate() }
    for (helperState, expected) in [(helperState, [0, 16, 32, 48]), (nil, [])]
      as [(HelperState?, [Int])]
    {
      var team = team(helperState, 2)
      #expect((0..<64).filter { _ in team.takesMeasure() } == expected)
      team.deallocate()
    }
  }

  @Test func theUsuallyLongestBranchComesFirst() {
    let helperState = HelperState(isAlwaysUsed: true)
    defer { helperState.deallocate() }
    var team = team(helperState, 4)
    defer { team.deallocate() }
    for (first, order) in [
      (100, [1, 3, 2, 0]), (1200, [1, 3, 0, 2]), (1200, [0, 1, 3, 2]), (0, [0, 1, 3, 2]),
      (0, [1, 3, 0, 2]),
    ] {
      for (branch, cost) in [first, 400, 200, 400].enumerated() {
        team.branches[branch].nanoseconds = cost
      }
      team.decide()
      #expect((0..<4).map { team.order[$0] } == order)
      #expect(team.isShared)
    }
  }

  /// Calls `work` with a helper with a measured wake-up time. In nanoseconds this is at most a
  /// thousandth of the costs passed to it here.
  private func withCalibratedDesk(_ work: (HelperState) -> Void) {
    let helperState = HelperState(isAlwaysUsed: false)
    let hasEnded = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      helperState.help()
      hasEnded.signal()
    }
    helperState.calibrate()
    work(helperState)
    helperState.end()
    hasEnded.wait()
    helperState.deallocate()
  }

  @Test func twoRenderWhereThatIsAFifthFasterUntilItIsATwentieth() {
    withCalibratedDesk { helperState in
      let total = 1_000_000_000_000
      func pays(_ longest: Double, _ isShared: Bool) -> Bool {
        helperState.pays(total: total, longest: Int(Double(total) * longest), isShared: isShared)
      }
      #expect(pays(0.3, false) && pays(0.79, false) && !pays(0.81, false))
      #expect(pays(0.3, true) && pays(0.94, true) && !pays(0.96, true))
      // No thread wakes within a nanosecond.
      #expect(!helperState.pays(total: 1, longest: 0, isShared: true))

      var team = team(helperState, 2)
      #expect(!team.isShared)
      for (longest, isShared) in [(0.9, false), (0.5, true), (0.5, true)] {
        // Enough cycles for the decision to follow.
        for _ in 0..<40 {
          team.branches[0].nanoseconds = Int(Double(total) * longest)
          team.branches[1].nanoseconds = total - team.branches[0].nanoseconds
          team.decide()
        }
        #expect(team.isShared == isShared)
      }
      team.deallocate()
    }
  }
}
