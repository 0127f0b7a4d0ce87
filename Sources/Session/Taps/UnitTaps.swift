// Taps of units, on request.

import UnitModel
import UnitRender

/// Taps of the units that are watched. Other units record nothing.
///
/// One control thread at a time calls its methods.
final class UnitTaps<Tap> {
  struct Tapped {
    let unit: AudioUnit
    let tap: Tap
  }

  private let begin: (UnitSwitches) -> Tap
  private let end: (UnitSwitches) -> Void
  /// The watched units by their ids.
  private(set) var tapped: [String: Tapped] = [:]

  init(begin: @escaping (UnitSwitches) -> Tap, end: @escaping (UnitSwitches) -> Void) {
    (self.begin, self.end) = (begin, end)
  }

  deinit { for one in tapped.values { end(one.unit.switches) } }

  /// Begins or continues to record these units, and ends for all others.
  /// - Thread: [control]
  func follow(_ units: [(id: String, unit: AudioUnit)]) {
    var next: [String: Tapped] = [:]
    for (id, unit) in units {
      if let known = tapped[id], known.unit === unit {
        next[id] = known
      } else {
        next[id] = Tapped(unit: unit, tap: begin(unit.switches))
      }
    }
    for (id, one) in tapped where next[id]?.unit !== one.unit { end(one.unit.switches) }
    tapped = next
  }
}
