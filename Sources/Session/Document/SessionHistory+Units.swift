// How the history keeps units.

import CHeap
import Configuration
import Foundation
import SessionModel
import UnitModel

/// Which units the history knows, and which of them are there.
struct KeptUnits {
  /// How many that the session does not have stay as they are, to be brought back at once.
  static let maximumAwake = 8
  /// For how long.
  static let longestAwake = Duration.seconds(120)

  private struct Known { weak var kept: KeptUnit? }
  private struct Given { weak var unit: AudioUnit? }

  private var known: [ObjectIdentifier: Known] = [:]
  /// What a program has made.
  private var given: [ObjectIdentifier: Given] = [:]
  /// What the session was changed to last, which the next change begins with.
  private weak var last: KeptStructure?
  /// Whether somebody is about to let units go.
  private var isLettingGo = false
  /// Of the units that are not there.
  let bytes = KeptBytes()

  /// Notes units that a program has made: they are never let go of and made anew.
  mutating func note(given units: some Sequence<AudioUnit>) {
    given = given.filter { $0.value.unit != nil }
    for unit in units { given[ObjectIdentifier(unit)] = Given(unit: unit) }
  }

  /// - Parameter file: where the configurations find files.
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

  /// Notes that units are there which were made anew, or are about to come back.
  mutating func note(_ structure: KeptStructure, _ now: ContinuousClock.Instant) {
    for (_, kept) in structure.units {
      guard let unit = kept.unit else { continue }
      known[ObjectIdentifier(unit)] = Known(kept: kept)
      if kept.idleSince != nil { kept.idleSince = now }
    }
  }

  /// The units that may rest once the session has others.
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

  /// Those that the session does not have and that can be made anew.
  private var shelf: [(kept: KeptUnit, since: ContinuousClock.Instant)] {
    known.values.compactMap { known in
      guard let kept = known.kept, !kept.isGiven, let since = kept.idleSince else { return nil }
      return (kept, since)
    }
  }

  /// The units that the session does not have and that are there, those of a program too.
  var idle: [AudioUnit] {
    known.values.compactMap { $0.kept?.idleSince == nil ? nil : $0.kept?.unit }
  }

  /// Whether units have been there for long enough; said once until they are let go of.
  mutating func beginLettingGo(_ now: ContinuousClock.Instant) -> Bool {
    guard !isLettingGo, shelf.contains(where: { now - $0.since >= Self.longestAwake }) else {
      return false
    }
    isLettingGo = true
    return true
  }
}

extension SessionHistory {
  /// A change of units or connections, to be recorded.
  ///
  /// - Parameter file: where their configurations find files.
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

  /// The structure of a step, with its units made anew where these have gone.
  /// - Throws: what is not there any more, such as a SoundFont.
  func wake(
    _ structure: KeptStructure, _ origin: SessionOrigin, now: ContinuousClock.Instant = .now
  ) async throws -> SessionStructure {
    defer { withUnits { $0.note(structure, now) } }
    return try await structure.wake(origin)
  }

  /// Lets units go that were not part of the session for some changes, or for a while.
  ///
  /// Whoever calls it holds the claim of the structure.
  ///
  /// - Parameter running: those that are.
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

  /// Looks whether units are to be let go of, and does it beside the thread that runs the session.
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
