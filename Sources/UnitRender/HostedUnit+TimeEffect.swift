// The input that a time effect asks for.

import Realtime

extension HostedUnit {
  /// Whether the unit asks for its input: `demand` and `take` come before each `render` then.
  package var isTimeEffect: Bool {
    @_noLocks @_noAllocation get { state.pointee.unit.timeEffect != nil }
  }

  /// Asks how many frames of input the next call needs.
  ///
  /// - Parameters:
  ///   - sessionFrame: the session's frame, by which a bypass begins and ends.
  ///   - before: room for as many numbers as there are frames: how many of the input's frames come
  ///     before each.
  /// - Returns: no more than the unit has said that it may need.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  package func demand(
    at frame: FrameTime, frameCount: Int, hostNanoseconds: UInt64, context: MusicalContext,
    sessionFrame: FrameTime, before: UnsafeMutablePointer<Int32>
  ) -> Int {
    guard let effect = state.pointee.unit.timeEffect, frameCount <= state.pointee.maximumFrames
    else { return 0 }
    // A bypass that begins or ends within the call is among its events.
    _ = switches.takeBypassRequest(at: sessionFrame)
    prepareCall(
      at: frame, frameCount: frameCount, hostNanoseconds: hostNanoseconds, context: context)
    setBypassFlag(switches.isBypassHeard)
    let needed = callDemand(effect.demand, state.pointee.unit.context, call.call, before)
    state.pointee.isDemanded = true
    let most = frameCount &* effect.maximumRate &+ effect.extraFrames
    let count = max(0, min(Int(needed), most))
    state.pointee.demandedFrames = count
    return count
  }

  /// Brings the next frames of those that were asked for, which are where the call's inputs are.
  /// - Parameter frameCount: no more than are rendered in a call.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  package func take(frameCount: Int) {
    guard let effect = state.pointee.unit.timeEffect else { return }
    state.pointee.demandedFrames &-= frameCount
    callTake(
      effect.take, state.pointee.unit.context, call.call, UInt32(truncatingIfNeeded: frameCount))
  }

  /// A time effect that was not asked, or did not get what it asked for, has nothing to render.
  @_noLocks @_noAllocation
  func hasWhatItNeeds() -> Bool {
    if state.pointee.unit.timeEffect == nil { return true }
    return state.pointee.isDemanded && state.pointee.demandedFrames == 0
  }
}
