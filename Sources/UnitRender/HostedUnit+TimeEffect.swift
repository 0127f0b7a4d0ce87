// The input that a time effect requests.

import Realtime

extension HostedUnit {
  /// Whether the unit requests its input: `demand` and `take` then precede each `render`.
  package var isTimeEffect: Bool {
    @_noLocks @_noAllocation get { state.pointee.unit.timeEffect != nil }
  }

  /// Returns the number of input frames that the next call needs.
  ///
  /// - Parameters:
  ///   - sessionFrame: the session's frame, by which a bypass begins and ends.
  ///   - before: room for `frameCount` numbers. Receives for each frame of the call the number of
  ///     requested input frames that the frames before it need.
  /// - Returns: at most `frameCount` · `maximumRate` + `extraFrames` of the unit's
  ///   `TimeEffectRender`; 0 for other units, and if `frameCount` is more than one call renders.
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

  /// Delivers the next requested frames, which are in the call's input buffers.
  /// - Parameter frameCount: at most the frames rendered in a call.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  package func take(frameCount: Int) {
    guard let effect = state.pointee.unit.timeEffect else { return }
    state.pointee.demandedFrames &-= frameCount
    callTake(
      effect.take, state.pointee.unit.context, call.call, UInt32(truncatingIfNeeded: frameCount))
  }

  /// Whether the unit can render: a time effect needs to have been asked, and to have received all
  /// input that it requested.
  @_noLocks @_noAllocation
  func hasWhatItNeeds() -> Bool {
    if state.pointee.unit.timeEffect == nil { return true }
    return state.pointee.isDemanded && state.pointee.demandedFrames == 0
  }
}
