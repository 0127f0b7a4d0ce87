// State shared by the two threads that render a schedule.

import CRealtime
import Glibc
import Realtime
import Synchronization

/// A slice whose branches are rendered by two threads.
struct HelperJob: BitwiseCopyable {
  let schedule: Schedule
  let cycle: RenderCycle
  let offset: Int
  let frameCount: Int
  /// Whether to measure the branches' time, and the units' time.
  let takesMeasure: Bool
  let hasMeters: Bool

  @_noLocks @_noAllocation
  init(
    schedule: Schedule, cycle: RenderCycle, offset: Int, frameCount: Int, takesMeasure: Bool,
    hasMeters: Bool
  ) {
    self.schedule = schedule
    self.cycle = cycle
    self.offset = offset
    self.frameCount = frameCount
    self.takesMeasure = takesMeasure
    self.hasMeters = hasMeters
  }
}

/// State shared by a render thread and its helper. Each branch is claimed by one of the two. The
/// render thread claims as well, so it never waits for a helper that has not begun.
///
/// The value is a handle: copies name the same memory, which belongs to the helper.
struct HelperState: @unchecked Sendable, BitwiseCopyable {
  private struct State: ~Copyable {
    /// From the lowest bits up: the index of the next branch, 16 bits; the number of branches, 16
    /// bits; the number of the job.
    let ticket = Atomic<UInt64>(0)
    /// The number of branches not rendered yet.
    let remaining = Atomic<Int>(0)
    let isEnding = Atomic<Bool>(false)
    /// The number of the helper's wake-ups, and the time of the last one.
    let wakings = Atomic<Int>(0)
    let wokenAt = Atomic<UInt64>(0)
    /// The core of the render thread; -1 if unknown.
    let core = Atomic<Int>(-1)
    /// The number of branches that the helper rendered.
    let helped = Atomic<Int>(0)
    /// The job; written while no branch remains.
    var job: HelperJob?
    /// The time from waking the helper until it runs, and the time the wake call takes, in
    /// nanoseconds.
    var wakingNanoseconds = Int.max
    var postNanoseconds = 0
  }

  private let state: UnsafeMutablePointer<State>
  private let wake: UnsafeMutablePointer<sem_t>
  let isAlwaysUsed: Bool

  /// - Thread: [control]
  init(isAlwaysUsed: Bool) {
    self.isAlwaysUsed = isAlwaysUsed
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    wake = .allocate(capacity: 1)
    wake.initialize(to: sem_t())
    sem_init(wake, 0, 0)
  }

  /// - Thread: [control], once the helper has ended and no schedule uses it.
  func deallocate() {
    sem_destroy(wake)
    wake.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// The number of branches that the helper has rendered.
  /// - Thread: [any]
  var helpedCount: Int { state.pointee.helped.load(ordering: .relaxed) }

  // MARK: The render thread

  /// Offers the branches of a slice and wakes the helper.
  /// - Thread: [render], while none remains.
  @_noLocks @_noAllocation
  func open(_ job: HelperJob, count: Int) {
    state.pointee.job = job
    state.pointee.core.store(Int(currentCore()), ordering: .relaxed)
    state.pointee.remaining.store(count, ordering: .relaxed)
    let number = (state.pointee.ticket.load(ordering: .relaxed) >> 32) &+ 1
    state.pointee.ticket.store(
      number << 32 | UInt64(truncatingIfNeeded: count) << 16, ordering: .releasing)
    Vouched.post(wake)
  }

  /// Claims a branch to render; nil if none is left.
  /// - Returns: its position in the order.
  /// - Thread: [render], both
  @_noLocks @_noAllocation
  func claim() -> Int? {
    var ticket = state.pointee.ticket.load(ordering: .acquiring)
    while true {
      let position = Int(truncatingIfNeeded: ticket & 0xFFFF)
      if position >= Int(truncatingIfNeeded: ticket >> 16 & 0xFFFF) { return nil }
      let (isMine, found) = state.pointee.ticket.compareExchange(
        expected: ticket, desired: ticket &+ 1, ordering: .acquiring)
      if isMine { return position }
      ticket = found
    }
  }

  /// Counts a claimed branch as rendered.
  @_noLocks @_noAllocation
  func finish() { state.pointee.remaining.wrappingSubtract(1, ordering: .releasing) }

  /// Waits until the helper has rendered the branch it claimed, if any.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func wait() {
    var turns = 0
    while state.pointee.remaining.load(ordering: .acquiring) > 0 {
      spinPause()
      turns &+= 1
      // The helper may have lost its core to another thread; yielding lets it run on ours.
      if turns & 0xFFF == 0 { Vouched.yield() }
    }
  }

  /// Whether two threads take a fifth less time than one. While sharing, a twentieth less is
  /// enough.
  @_noLocks @_noAllocation
  func pays(total: Int, longest: Int, isShared: Bool) -> Bool {
    let waking = state.pointee.wakingNanoseconds
    if waking > total { return false }
    let both = max(longest, (total &+ waking) / 2) &+ state.pointee.postNanoseconds
    return isShared ? both &* 20 <= total &* 19 : both &* 5 <= total &* 4
  }

  // MARK: The helper

  /// Renders offered branches until `end`.
  /// - Thread: the helper's.
  func help() {
    touchStack()
    _ = denormalsFlush()
    leaveCore(-1)
    while true {
      while sem_wait(wake) != 0 {}
      if state.pointee.isEnding.load(ordering: .acquiring) { return }
      leaveSharedCore()
      state.pointee.wokenAt.store(Vouched.nanoseconds(), ordering: .relaxed)
      state.pointee.wakings.wrappingAdd(1, ordering: .releasing)
      realtimeContextEnter()
      renderOffered()
      realtimeContextExit()
    }
  }

  /// Moves off the core of the render thread. Without realtime priorities the kernel may wake the
  /// helper there, and the two threads would take turns.
  private func leaveSharedCore() {
    let core = state.pointee.core.load(ordering: .relaxed)
    if core >= 0 && Int(currentCore()) == core { leaveCore(Int32(core)) }
  }

  @_noLocks @_noAllocation
  private func renderOffered() {
    while let position = claim() {
      guard let job = state.pointee.job else { return }
      job.schedule.renderBranch(at: position, job)
      state.pointee.helped.wrappingAdd(1, ordering: .relaxed)
      finish()
    }
  }

  /// Measures the time it takes to wake the helper.
  /// - Thread: [control], before any schedule uses this state.
  func calibrate() {
    var wakings: [UInt64] = []
    var posts: [UInt64] = []
    for _ in 0..<15 {
      // Let the helper fall asleep, as between two cycles.
      usleep(500)
      let count = state.pointee.wakings.load(ordering: .relaxed)
      state.pointee.core.store(Int(currentCore()), ordering: .relaxed)
      let start = Vouched.nanoseconds()
      Vouched.post(wake)
      posts.append(Vouched.nanoseconds() - start)
      for _ in 0..<1000 where state.pointee.wakings.load(ordering: .acquiring) == count {
        usleep(100)
      }
      // A machine that takes so long to wake it has no core to spare.
      guard state.pointee.wakings.load(ordering: .acquiring) != count else { return }
      let woken = state.pointee.wokenAt.load(ordering: .relaxed)
      wakings.append(woken > start ? woken - start : 0)
    }
    state.pointee.wakingNanoseconds = Int(wakings.sorted()[7])
    state.pointee.postNanoseconds = Int(posts.sorted()[7])
  }

  /// Ends the helper's thread.
  /// - Thread: [control], while no schedule uses it.
  func end() {
    state.pointee.isEnding.store(true, ordering: .releasing)
    Vouched.post(wake)
  }
}
