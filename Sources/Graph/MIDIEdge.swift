// What of a MIDI connection outlives schedules.

import UnitRender

/// The notes and pedals that a connection has begun and not ended.
final class MIDIEdge: @unchecked Sendable {
  /// Used by one render thread at a time.
  let held = HeldKeys()

  deinit { held.deallocate() }
}
