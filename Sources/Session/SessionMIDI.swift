// Recording of units' MIDI, on request.

import SessionModel
import UnitModel
import UnitRender

/// Taps of the units whose MIDI is watched. Other units record nothing.
///
/// One control thread at a time calls its methods.
final class SessionMIDI {
  private struct Tapped {
    let unit: AudioUnit
    let tap: MIDITap
  }

  private var tapped: [String: Tapped] = [:]

  /// Whether any unit is watched.
  var isWatching: Bool { !tapped.isEmpty }

  deinit { for one in tapped.values { one.unit.switches.endTap() } }

  /// Begins or continues to record these units, and ends for all others.
  /// - Thread: [control]
  func follow(_ units: [(id: String, unit: AudioUnit)]) {
    var next: [String: Tapped] = [:]
    for (id, unit) in units {
      if let known = tapped[id], known.unit === unit {
        next[id] = known
      } else {
        next[id] = Tapped(unit: unit, tap: unit.switches.beginTap())
      }
    }
    for (id, one) in tapped where next[id]?.unit !== one.unit { one.unit.switches.endTap() }
    tapped = next
  }

  /// Returns the events since the last call, by the ids of the units that have any.
  /// - Thread: [control]
  func take() -> [String: MIDIReading.Unit] {
    var units: [String: MIDIReading.Unit] = [:]
    for (id, one) in tapped {
      let (events, lost) = one.tap.take()
      if events.isEmpty && lost == 0 { continue }
      // Sent events follow the received ones of the same slice.
      let sorted = events.enumerated().sorted {
        ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset)
      }
      units[id] = MIDIReading.Unit(
        events: sorted.map { MIDIReading.Event($0.element) }, lost: lost)
    }
    return units
  }
}

extension MIDIReading.Event {
  fileprivate init(_ event: TappedEvent) {
    self.init(
      frame: event.frame, bytes: event.kept, byteCount: Int(event.byteCount),
      isSent: event.isSent, cable: Int(event.cable))
  }
}
