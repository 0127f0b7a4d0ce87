// What feeds a time effect, on a timeline of its own.

import Realtime
import UnitRender

/// Where the timeline of a time effect's chain is. It outlives schedules; used by one render thread
/// at a time.
package struct ChainClock: @unchecked Sendable, BitwiseCopyable {
  struct State: BitwiseCopyable {
    /// The next frame that the chain makes; the session's own before the first one.
    var frame: FrameTime = 0
    var hasBegun = false
    /// By how many frames the chain's transport is ahead of the session's, and where that is due.
    var lead = 0
    var transportDue = -1.0
  }

  let state: UnsafeMutablePointer<State>

  /// - Thread: [control]
  package init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  /// - Thread: [control], once nobody renders with it.
  package func deallocate() { state.deallocate() }

  /// The first frame of a pull that is made for `sessionFrame`.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func begin(at sessionFrame: FrameTime) -> FrameTime {
    if !state.pointee.hasBegun {
      state.pointee.hasBegun = true
      state.pointee.frame = sessionFrame
    }
    return state.pointee.frame
  }

  /// Takes the frames of a pull that is over.
  ///
  /// - Parameter frameCount: of the session's, or of the chain around, for which they were made.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func advance(_ needed: Int, for frameCount: Int) {
    state.pointee.frame = state.pointee.frame &+ FrameTime(needed)
    state.pointee.lead &+= needed &- frameCount
  }

  /// The musical context of a pull's first frame: that of where the session's transport was started
  /// or moved to, and from there on as fast as the chain.
  ///
  /// - Parameters:
  ///   - context: the session's, where the pull begins.
  ///   - frameCount: for how many of its frames the pull is.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func musicalContext(
    _ context: MusicalContext, for frameCount: Int, sampleRate: Double
  ) -> MusicalContext {
    let isMoving = context.transportFlags & UInt32(kTransportMoving) != 0
    if !isMoving || context.samplePosition != state.pointee.transportDue {
      state.pointee.lead = 0
    }
    state.pointee.transportDue = isMoving ? context.samplePosition + Double(frameCount) : -1
    return context.moved(by: state.pointee.lead, sampleRate: sampleRate)
  }
}

/// The chain of a schedule's time effect.
struct SourceChain: BitwiseCopyable {
  let clock: ChainClock
  /// The number of the chain that the effect itself is in, -1 for none.
  let parent: Int
  /// For each frame of a call, how many frames of the chain come before it.
  let before: UnsafeMutablePointer<Int32>
  /// The chain's frame behind which nothing fades.
  let fadeEnd: Int
  /// Frames of the chain so far, no more than `fadeEnd`, and of the session.
  var position = 0
  var age = 0

  /// How old a chain becomes before nobody waits for it any more.
  var mostAge: Int { @_noLocks @_noAllocation get { 128 &* fadeEnd } }

  /// Whether all that comes and goes in the chain has done so. An effect that asks for nothing is
  /// not waited for without end.
  var isSettled: Bool {
    @_noLocks @_noAllocation get { position == fadeEnd || age >= mostAge }
  }
}

/// The way of a unit's events into a chain: out of the frames of the session, or of the chain
/// around, into those of the chain.
package struct EventCrossing: BitwiseCopyable {
  /// The number of the unit that they are for.
  let unit: Int
  /// The chain that they come into, -1 for one that the unit has left.
  let chain: Int
  /// The unit's crossings into the chains outside and inside of this one, -1 for none.
  let outer: Int
  let inner: Int
  /// What comes, with the frames of outside, and what came and waits for the chain to go on, with
  /// those of the chain. The memory outlives the schedule.
  let incoming: RenderEventList
  let waiting: DelayedEvents

  package init(
    unit: Int, chain: Int, outer: Int, inner: Int, incoming: RenderEventList,
    waiting: DelayedEvents
  ) {
    self.unit = unit
    self.chain = chain
    self.outer = outer
    self.inner = inner
    self.incoming = incoming
    self.waiting = waiting
  }
}

/// The chains of a schedule; the memory belongs to who made it.
package struct ScheduleChains {
  /// By number, each behind the one that it is in.
  package var clocks: [ChainClock] = []
  package var parents: [Int] = []
  package var crossings: [EventCrossing] = []

  package init() {}
}
