// One change of a session, with the states before and after it.

import Configuration
import PropertyLists
import SessionModel
import UnitModel

/// One change of a session, with the states before and after it. Undo makes its inverse.
enum Edit: Sendable {
  /// A value of a parameter.
  struct Value: Sendable {
    /// Id of the unit.
    let unit: String
    let keyPath: String
    let from: Float
    let to: Float
    /// Frame of its effect, if that was in the future when it was set; otherwise nil.
    var frame: Int64?
    /// Length of the ramp to the value, in frames; 0 for a jump.
    var rampFrames = 0

    var path: SessionPath { SessionPath(unit: unit, keyPath: keyPath) }

    /// The change back, without a ramp.
    fileprivate var inverse: Value {
      Value(unit: unit, keyPath: keyPath, from: to, to: from, frame: frame)
    }
  }

  case value(Value)
  case `switch`(UnitSwitch, unit: String, from: Bool, to: Bool)
  /// - Parameter frame: frame at which an entry takes over, if that was in the future.
  case sound(unit: String, from: UnitSound, to: UnitSound, frame: Int64?)
  /// A change of structure. Units that only one side has are restored unchanged.
  case structure(from: KeptStructure, to: KeptStructure)

  /// The change that takes this one back.
  var inverse: Edit {
    switch self {
    case .value(let value): .value(value.inverse)
    case .switch(let key, let unit, let from, let to):
      .switch(key, unit: unit, from: to, to: from)
    case .sound(let unit, let from, let to, let frame):
      .sound(unit: unit, from: to, to: from, frame: frame)
    case .structure(let from, let to): .structure(from: to, to: from)
    }
  }

  /// Id of the changed unit; nil for a change of units and connections.
  var unit: String? {
    switch self {
    case .value(let value): value.unit
    case .switch(_, let unit, _, _), .sound(let unit, _, _, _): unit
    case .structure: nil
    }
  }

  /// Units and connections after the change; nil for another change.
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

  /// Approximate size of its contents, in bytes.
  var size: Int {
    switch self {
    case .value: 256
    case .switch: 192
    case .sound(_, let from, let to, _): 256 + from.size + to.size
    case .structure(let from, let to): to.size(beside: from)
    }
  }
}

/// A unit's whole sound, as a change sets it.
enum UnitSound: Sendable {
  /// An entry of the unit's live set. The unit itself sets the entry's values.
  case entry(Int)
  /// Settings if these change, values by key path, and the chosen preset.
  case state(settings: StateDictionary?, values: [(keyPath: String, value: Float)], Preset?)

  var hasValues: Bool {
    guard case .state(_, let values, _) = self else { return false }
    return !values.isEmpty
  }

  /// Approximate size of its contents, in bytes.
  var size: Int {
    guard case .state(let settings, let values, _) = self else { return 32 }
    return values.count * 64 + (settings.map { PropertyListValue.dictionary($0).byteCount } ?? 0)
  }
}

extension Edit {
  /// Returns the change of a unit's sound between two snapshots.
  static func sound(
    of unit: AudioUnit, _ id: String, before: UnitSnapshot, after: UnitSnapshot
  ) -> Edit {
    let named = unit.keyPathsOfEntries
    // Returning to an entry sets the parameters it names, so their values are kept too.
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

  /// Returns the selection of an entry, whose values the unit itself sets.
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
  /// Key paths of the parameters that the unit's entries set.
  fileprivate var keyPathsOfEntries: Set<String> {
    guard let entries: [any SelectableEntry] = (self as? any EntrySelecting)?.entries else {
      return []
    }
    return Set(entries.flatMap(\.parameters.keys))
  }
}
