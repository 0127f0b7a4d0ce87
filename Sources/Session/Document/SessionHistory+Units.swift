// How the history keeps units.

import Configuration
import Foundation
import UnitModel

/// Which units the history knows, and which of them are there.
struct KeptUnits {
  /// How many that the session does not have stay as they are, to be brought back at once.
  static let maximumAwake = 8

  private struct Known { weak var kept: KeptUnit? }

  private var known: [ObjectIdentifier: Known] = [:]
  /// What the session was changed to last, which the next change begins with.
  private weak var last: KeptStructure?
  private var count = 0

  /// - Parameter file: where the configurations find files.
  mutating func keep(_ structure: SessionStructure, file: URL?) -> KeptStructure {
    if let last, last.isSame(as: structure, file: file) { return last }
    let kept = KeptStructure(structure, file: file) { unit in
      let key = ObjectIdentifier(unit.unit)
      if let kept = known[key]?.kept { return kept }
      let kept = KeptUnit(unit.unit, unit.configuration, file: file)
      known[key] = Known(kept: kept)
      return kept
    }
    last = kept
    return kept
  }

  /// Notes that units are there which were made anew.
  mutating func note(_ structure: KeptStructure) {
    for (_, kept) in structure.units {
      if let unit = kept.unit { known[ObjectIdentifier(unit)] = Known(kept: kept) }
    }
  }

  /// The units that may rest once the session has others.
  mutating func takeIdle(but running: [AudioUnit]) -> [KeptUnit] {
    count += 1
    known = known.filter { $0.value.kept?.unit != nil }
    let keys = Set(running.map { ObjectIdentifier($0) })
    for key in keys { known[key]?.kept?.use(count) }
    let idle = known.filter { !keys.contains($0.key) }.compactMap(\.value.kept)
    let resting = idle.sorted { $0.lastUse > $1.lastUse }.dropFirst(Self.maximumAwake)
    for kept in resting {
      if let unit = kept.unit { known[ObjectIdentifier(unit)] = nil }
    }
    return Array(resting)
  }
}

extension SessionHistory {
  /// The structure of a step, with its units made anew where these have gone.
  /// - Throws: what is not there any more, such as a SoundFont.
  func wake(
    _ structure: KeptStructure, _ origin: SessionOrigin
  ) async throws -> SessionStructure {
    defer { withUnits { $0.note(structure) } }
    return try await structure.wake(origin)
  }

  /// Lets units go that were not part of the session for some changes.
  /// - Parameter running: those that are.
  func letRest(but running: [(id: String, unit: AudioUnit)], _ origin: SessionOrigin) {
    for kept in withUnits({ $0.takeIdle(but: running.map(\.unit)) }) { kept.rest(origin) }
  }
}
