// Following the host's transport.

import Realtime
import UnitRender

extension PlaybackState {
  /// Aligns the content with the transport, as if it had begun at the transport's frame 0.
  ///
  /// - Parameter frame: the first frame of the call.
  @_noLocks @_noAllocation
  mutating func follow(_ context: MusicalContext, at frame: FrameTime) {
    guard let content else { return }
    let isRolling =
      context.valid & UInt32(kTransportPosition) != 0
      && context.transportFlags & UInt32(kTransportMoving) != 0
    if !isRolling {
      if state.isPlaying { set(.paused, at: frame) }
      return
    }
    // Negative positions are before the content's beginning.
    let frames = context.samplePosition >= 0 ? Int(saturating: context.samplePosition) : -1
    let loops = loops(content)
    let goesOn = state.isPlaying
    state = .playing
    values[Self.stateIndex] = state.value
    // Scheduled entries do not follow the transport.
    if let first = queue.first, !isContent(first) { return }
    guard frames >= 0, let target = content.pointee.position(after: frames, looping: loops) else {
      return leaveContent(at: frame)
    }
    if queue.first != nil, content.pointee.isStarted, position == target.frame,
      content.pointee.isIn(target.pass, looping: loops)
    {
      if !goesOn, target.frame > 0 { fadeIn() }
      return
    }
    leaveContent(at: frame)
    append(content)
    start(content, at: target, looping: loops)
  }

  @_noLocks @_noAllocation
  mutating func leaveContent(at frame: FrameTime) {
    if queue.first == nil { return }
    leave(at: frame)
    _ = queue.takeFirst()
  }
}
