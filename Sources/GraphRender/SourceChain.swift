// Effect chains on separate timelines.

import Realtime
import UnitRender

/// The timeline of a time effect's chain. Outlives schedules; used by one render thread at a time.
package struct ChainClock: @unchecked Sendable, BitwiseCopyable {
  struct State: BitwiseCopyable {
    /// The next frame that the chain renders; the session's frame before the first one.
    var frame: FrameTime = 0
    var hasBegun = false
    /// The chain's lead over the session's transport in frames, and the transport's next position.
    var lead = 0
    var transportDue = -1.0
  }

  let state: UnsafeMutablePointer<State>

  /// - Thread: [control]
  package init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  /// Frees the timeline.
  /// - Thread: [control], once no thread renders with it.
  package func deallocate() { state.deallocate() }

  /// Returns the first frame of a pull for `sessionFrame`.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func begin(at sessionFrame: FrameTime) -> FrameTime {
    if !state.pointee.hasBegun {
      state.pointee.hasBegun = true
      state.pointee.frame = sessionFrame
    }
    return state.pointee.frame
  }

  /// Advances by the frames of a finished pull.
  ///
  /// - Parameter frameCount: the number of session frames, or frames of the surrounding chain, that
  ///   the pull was for.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func advance(_ needed: Int, for frameCount: Int) {
    state.pointee.frame = state.pointee.frame &+ FrameTime(needed)
    state.pointee.lead &+= needed &- frameCount
  }

  /// Returns the musical context of a pull's first frame. It starts from the position where the
  /// session's transport started or jumped to, and advances at the chain's speed.
  ///
  /// - Parameters:
  ///   - context: the session's context at the start of the pull.
  ///   - frameCount: the number of session frames the pull is for.
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
  /// The index of the chain that contains the effect, -1 for none.
  let parent: Int
  /// For each frame of a call, the number of chain frames before it.
  let before: UnsafeMutablePointer<Int32>
  /// The chain's frame from which nothing fades.
  let fadeEnd: Int
  /// The first frame of the current pull within the cycle of the session, or of the surrounding
  /// chain, and the number of that cycle's frames that it is for.
  var pullOffset = 0
  var pullFrames = 0
  /// Frames of the chain, no more than `fadeEnd`, and of the session.
  var position = 0
  var age = 0

  /// The age in session frames after which a chain counts as settled.
  var mostAge: Int { @_noLocks @_noAllocation get { 128 &* fadeEnd } }

  /// Whether all fades in the chain have ended. A chain whose effect requests no frames counts as
  /// settled at `mostAge`.
  var isSettled: Bool {
    @_noLocks @_noAllocation get { position == fadeEnd || age >= mostAge }
  }
}

/// The path of a unit's events into a chain, from the frames of the session, or of the surrounding
/// chain, to those of the chain.
package struct EventCrossing: BitwiseCopyable {
  /// The index of the unit that receives the events.
  let unit: Int
  /// The index of the chain; -1 for one that the unit has left.
  let chain: Int
  /// The indices of the unit's crossings into the surrounding and the inner chain, -1 for none.
  let outer: Int
  let inner: Int
  /// Arriving events, on outside frames, and events waiting for later chain frames, on those. The
  /// memory outlives the schedule.
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

/// The chains of a schedule; the memory belongs to the graphs that made them.
package struct ScheduleChains {
  /// Clocks by chain index; each chain follows the one that contains it.
  package var clocks: [ChainClock] = []
  package var parents: [Int] = []
  package var crossings: [EventCrossing] = []

  package init() {}
}
