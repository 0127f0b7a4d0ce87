// MIDI events that wait for a client.

import SessionModel
import Synchronization

/// The MIDI events that a client has not been sent yet, as one reading. A client that reads slowly
/// receives fewer notices with more events each; those without room are counted.
final class MIDIBacklog: Sendable {
  private let reading = Mutex<MIDIReading?>(nil)

  /// - Thread: [any]
  func add(_ later: MIDIReading) {
    reading.withLock { reading in
      // An empty one, so that a first reading is bounded too.
      if reading == nil {
        reading = MIDIReading(frame: later.frame, sampleRate: later.sampleRate, units: [:])
      }
      reading?.add(later)
    }
  }

  /// Removes and returns what waits; nil for nothing.
  /// - Thread: [any]
  func take() -> MIDIReading? { reading.withLock { $0.take() } }
}
