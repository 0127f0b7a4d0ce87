// What a change does, with both of its sides.

import SessionModel
import UnitModel

/// One change of a session, which knows what was before and what comes after: taking it back is to
/// make its inverse.
enum Edit: Sendable {
  /// A value of a parameter.
  struct Value: Sendable {
    /// Its id.
    let unit: String
    let keyPath: String
    let from: Float
    let to: Float
    /// On which it takes effect, where that was still to come when it was set.
    var frame: Int64?
    /// How long it takes to get there; 0 where it is there at once.
    var rampFrames = 0

    var path: SessionPath { SessionPath(unit: unit, keyPath: keyPath) }

    /// At once, where it had a ramp.
    fileprivate var inverse: Value {
      Value(unit: unit, keyPath: keyPath, from: to, to: from, frame: frame)
    }
  }

  case value(Value)
  case bypass(unit: String, from: Bool, to: Bool)
  case transportReset(unit: String, from: Bool, to: Bool)
  /// - Parameter frame: on which an entry takes over, where that was still to come.
  case sound(unit: String, from: UnitSound, to: UnitSound, frame: Int64?)
  /// Units that are in one of both come back as they were.
  case structure(from: KeptStructure, to: KeptStructure)

  /// What takes it back.
  var inverse: Edit {
    switch self {
    case .value(let value): .value(value.inverse)
    case .bypass(let unit, let from, let to): .bypass(unit: unit, from: to, to: from)
    case .transportReset(let unit, let from, let to):
      .transportReset(unit: unit, from: to, to: from)
    case .sound(let unit, let from, let to, let frame):
      .sound(unit: unit, from: to, to: from, frame: frame)
    case .structure(let from, let to): .structure(from: to, to: from)
    }
  }

  /// The id of the unit that it is about; nil for a change of units and connections.
  var unit: String? {
    switch self {
    case .value(let value): value.unit
    case .bypass(let unit, _, _), .transportReset(let unit, _, _), .sound(let unit, _, _, _): unit
    case .structure: nil
    }
  }

  /// What units and connections become; nil for another change.
  var structure: KeptStructure? {
    guard case .structure(_, let structure) = self else { return nil }
    return structure
  }

  var isValue: Bool {
    guard case .value = self else { return false }
    return true
  }

  var isSound: Bool {
    guard case .sound = self else { return false }
    return true
  }

  /// About what it holds, in bytes.
  var size: Int {
    switch self {
    case .value: 256
    case .bypass, .transportReset: 192
    case .sound(_, let from, let to, _): 256 + from.size + to.size
    case .structure(let from, let to): to.size(beside: from)
    }
  }
}

/// What a change brings a unit's whole sound to.
enum UnitSound: Sendable {
  /// An entry of its live set, which sets values by itself.
  case entry(Int)
  /// Settings where these change, values by key path, and the preset that is chosen.
  case state(settings: StateDictionary?, values: [(keyPath: String, value: Float)], Preset?)

  var hasValues: Bool {
    guard case .state(_, let values, _) = self else { return false }
    return !values.isEmpty
  }

  /// About what it holds, in bytes.
  var size: Int {
    guard case .state(let settings, let values, _) = self else { return 32 }
    return values.count * 64 + (settings.map { PropertyListValue.dictionary($0).byteCount } ?? 0)
  }
}

extension Edit {
  /// What has become of a unit's sound.
  static func sound(
    of unit: AudioUnit, _ id: String, before: UnitSnapshot, after: UnitSnapshot
  ) -> Edit {
    let named = unit.keyPathsOfEntries
    // The way back to an entry sets what it names.
    let isSet = before.settings != after.settings
    let moved = before.values.sorted { $0.key < $1.key }.filter { keyPath, old in
      (after.values[keyPath] ?? old) != old || (isSet && named.contains(keyPath))
    }
    let from = UnitSound.state(
      settings: isSet ? before.settings : nil, values: moved.map { ($0.key, $0.value) },
      before.preset)
    let to = UnitSound.state(
      settings: isSet ? after.settings : nil,
      values: moved.map { ($0.key, after.values[$0.key] ?? $0.value) }, after.preset)
    return .sound(unit: id, from: from, to: to, frame: nil)
  }

  /// The selection of an entry, which the unit makes by itself.
  static func entry(
    _ entry: Int, of unit: AudioUnit, _ id: String, before: UnitSnapshot, frame: Int64? = nil
  ) -> Edit {
    let named = unit.keyPathsOfEntries
    let values = before.values.filter { named.contains($0.key) }.sorted { $0.key < $1.key }
    return .sound(
      unit: id,
      from: .state(
        settings: before.settings, values: values.map { ($0.key, $0.value) }, before.preset),
      to: .entry(entry), frame: frame)
  }
}

extension AudioUnit {
  /// The parameters that its entries set.
  fileprivate var keyPathsOfEntries: Set<String> {
    guard let entries: [any SelectableEntry] = (self as? any EntrySelecting)?.entries else {
      return []
    }
    return Set(entries.flatMap(\.parameters.keys))
  }
}
