// Playing where the host's transport is.

import Realtime
import UnitRender

extension PlayerDeck {
  /// Has the content be where the transport is, as if it had begun with the transport's frame 0.
  ///
  /// - Parameter frame: the call's first.
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
    let length = content.pointee.frameCount
    // A position that is none comes before all others.
    var place = context.samplePosition >= 0 ? Int(saturating: context.samplePosition) : -1
    if values[Self.loopIndex] >= 0.5, place >= length {
      place &-= Int(saturating: Double(place) / Double(length)) &* length
    }
    let goesOn = state.isPlaying
    state = .playing
    values[Self.stateIndex] = state.value
    // What was scheduled is played where it was scheduled.
    if let first = queue.first, !isContent(first) { return }
    guard place >= 0, place < length else { return leaveContent(at: frame) }
    if queue.first != nil, content.pointee.isStarted, position == place {
      if !goesOn, place > 0 { fadeIn() }
      return
    }
    leaveContent(at: frame)
    append(content)
    content.pointee.isStarted = true
    position = place
    if place > 0 { fadeIn() }
  }

  @_noLocks @_noAllocation
  private mutating func leaveContent(at frame: FrameTime) {
    if queue.first == nil { return }
    leave(at: frame)
    _ = queue.takeFirst()
  }
}
