// State of a MIDI connection that outlives schedules.

import UnitRender

/// The notes and pedals held through a connection.
final class MIDIEdge: @unchecked Sendable {
  /// Held keys; used by one render thread at a time.
  let held = HeldKeys()

  deinit { held.deallocate() }
}
