// The player's kernel.

import Realtime
import UnitRender

/// Plays entries on their frames.
struct ScheduledPlayerKernel: RenderKernel, ~Copyable {
  /// Outlives the kernel.
  private let deck: UnsafeMutablePointer<PlaybackState>

  /// - Thread: [control]
  init(_ deck: UnsafeMutablePointer<PlaybackState>) { self.deck = deck }

  /// First address of stops: each stop adds its number.
  static var stopAddress: UInt64 { @_noLocks @_noAllocation get { 1 << 32 } }

  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView) {
    let frame = call.call.pointee.frame
    deck.pointee.stopIfHeld(at: frame)
    deck.pointee.takeEntries(at: frame)
    if deck.pointee.followsTransport {
      deck.pointee.follow(call.call.pointee.musicalContext, at: frame)
    }
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    if !event.pointee.isParameter { return }
    let frame = max(event.pointee.frame, call.call.pointee.frame)
    let (address, value) = (event.pointee.address, event.pointee.value)
    if address >= Self.stopAddress {
      deck.pointee.stop(at: frame, epoch: address &- Self.stopAddress)
      return
    }
    switch address {
    case 0: deck.pointee.set(PlayerState(value), at: frame)
    case 1: deck.pointee.values[PlaybackState.loopIndex] = value >= 0.5 ? 1 : 0
    case 2: deck.pointee.values[PlaybackState.fadeIndex] = value
    case 5: deck.pointee.values[PlaybackState.transportIndex] = value >= 0.5 ? 1 : 0
    case 6: deck.pointee.setCue(value, at: frame)
    default: break
    }
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) { deck.pointee.render(slice) }

  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView) {
    deck.pointee.end(at: call.call.pointee.frame &+ FrameTime(call.frameCount))
  }

  /// Stops without a fade. Playback does not resume by itself.
  @_noLocks @_noAllocation
  mutating func reset() { deck.pointee.silence() }
}

@_noLocks @_noAllocation
func scheduledPlayerRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(ScheduledPlayerKernel.self, context, call)
}

@_noLocks @_noAllocation
func scheduledPlayerReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(ScheduledPlayerKernel.self, context)
}
