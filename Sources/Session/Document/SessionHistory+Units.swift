// Units kept by the history.

import CHeap
import Configuration
import FoundationEssentials
import SessionModel
import UnitModel

/// The units known to the history, existing or released.
struct KeptUnits {
  /// Maximum number of idle units kept in memory, to be brought back at once.
  static let maximumAwake = 8
  /// Maximum time that they are kept there.
  static let longestAwake = Duration.seconds(120)

  private struct Known { weak var kept: KeptUnit? }
  private struct Given { weak var unit: AudioUnit? }

  private var known: [ObjectIdentifier: Known] = [:]
  /// Units made by programs.
  private var given: [ObjectIdentifier: Given] = [:]
  /// Structure after the last change; the next change begins with it.
  private weak var last: KeptStructure?
  /// Whether a release of units is about to begin.
  private var isLettingGo = false
  /// Size of the descriptions of released units.
  let bytes = KeptBytes()

  /// Registers units made by a program. They are never released and recreated.
  mutating func note(given units: some Sequence<AudioUnit>) {
    given = given.filter { $0.value.unit != nil }
    for unit in units { given[ObjectIdentifier(unit)] = Given(unit: unit) }
  }

  /// - Parameter file: the session file to which file names are relative.
  mutating func keep(_ structure: SessionStructure, file: URL?) -> KeptStructure {
    if let last, last.isSame(as: structure, file: file) { return last }
    let kept = KeptStructure(structure, file: file) { unit in
      let key = ObjectIdentifier(unit.unit)
      if let kept = known[key]?.kept { return kept }
      let kept = KeptUnit(
        unit.unit, unit.configuration, file: file, isGiven: given[key]?.unit != nil, bytes: bytes)
      known[key] = Known(kept: kept)
      return kept
    }
    last = kept
    return kept
  }

  /// Registers the existing units of `structure`, and restarts the idle time of idle ones.
  mutating func note(_ structure: KeptStructure, _ now: ContinuousClock.Instant) {
    for (_, kept) in structure.units {
      guard let unit = kept.unit else { continue }
      known[ObjectIdentifier(unit)] = Known(kept: kept)
      if kept.idleSince != nil { kept.idleSince = now }
    }
  }

  /// Returns the units to release when the session has the units `running`.
  mutating func takeIdle(
    but running: [AudioUnit], _ now: ContinuousClock.Instant
  ) -> [KeptUnit] {
    isLettingGo = false
    known = known.filter { $0.value.kept?.unit != nil }
    let keys = Set(running.map { ObjectIdentifier($0) })
    for (key, known) in known {
      if keys.contains(key) {
        known.kept?.idleSince = nil
      } else if known.kept?.idleSince == nil {
        known.kept?.idleSince = now
      }
    }
    let awake = shelf.sorted { $0.since > $1.since }
    let resting = awake.enumerated().filter { number, kept in
      number >= Self.maximumAwake || now - kept.since >= Self.longestAwake
    }.map(\.element.kept)
    for kept in resting {
      if let unit = kept.unit { known[ObjectIdentifier(unit)] = nil }
    }
    return resting
  }

  /// Idle units that can be recreated.
  private var shelf: [(kept: KeptUnit, since: ContinuousClock.Instant)] {
    known.values.compactMap { known in
      guard let kept = known.kept, !kept.isGiven, let since = kept.idleSince else { return nil }
      return (kept, since)
    }
  }

  /// Existing units that the session does not have, including those of programs.
  var idle: [AudioUnit] {
    known.values.compactMap { $0.kept?.idleSince == nil ? nil : $0.kept?.unit }
  }

  /// Whether a unit has been idle for long enough. True only once until units are released.
  mutating func beginLettingGo(_ now: ContinuousClock.Instant) -> Bool {
    guard !isLettingGo, shelf.contains(where: { now - $0.since >= Self.longestAwake }) else {
      return false
    }
    isLettingGo = true
    return true
  }
}

extension SessionHistory {
  /// Returns a change of units or connections, to be recorded.
  ///
  /// - Parameter file: the session file to which file names are relative.
  func step(
    _ text: String, path: String, from before: SessionStructure, to after: SessionStructure,
    file: URL?
  ) -> SessionStep {
    withUnits { units in
      let former = units.keep(before, file: file)
      return SessionStep(
        text, path: path, .structure(from: former, to: units.keep(after, file: file)))
    }
  }

  /// Returns the structure of a step, with released units recreated.
  /// - Throws: the reason for a missing part, such as a SoundFont.
  func wake(
    _ structure: KeptStructure, _ origin: SessionOrigin, now: ContinuousClock.Instant = .now
  ) async throws -> SessionStructure {
    defer { withUnits { $0.note(structure, now) } }
    return try await structure.wake(origin)
  }

  /// Releases units that were not part of the session for some changes, or for a while.
  ///
  /// The caller holds the claim of the structure.
  ///
  /// - Parameter running: the units of the session.
  func letRest(
    but running: [(id: String, unit: AudioUnit)], _ origin: SessionOrigin,
    now: ContinuousClock.Instant = .now
  ) {
    let resting = withUnits { $0.takeIdle(but: running.map(\.unit), now) }
    if resting.isEmpty { return }
    for kept in resting { kept.rest(origin) }
    forget()
    heapTrim()
  }

  /// Releases idle units if it is time, in parallel with the thread that runs the session.
  func letRest(
    of editor: SessionEditor, _ store: SessionStore, _ late: LateWork,
    now: ContinuousClock.Instant = .now
  ) {
    guard withUnits({ $0.beginLettingGo(now) }) else { return }
    Task.detached { [self] in
      await late.holding(Claims([.structure])) {
        letRest(but: editor.units, store.origin, now: now)
      }
    }
  }
}
