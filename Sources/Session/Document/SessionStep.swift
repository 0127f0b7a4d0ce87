// One change of a session, with what was before.

import Configuration
import Foundation
import SessionModel
import UnitModel

/// What a unit is set to.
struct UnitSnapshot: Sendable {
  let settings: StateDictionary
  /// By key path, those that can be set.
  let values: [String: Float]
  let preset: Preset?

  /// - Parameter known: by key path, a value that is known better than the unit tells it.
  init(_ unit: AudioUnit, _ known: (String) -> Float? = { _ in nil }) {
    settings = unit.settings(forDocument: true)
    preset = unit.presetOfEntry ?? unit.currentPreset
    values = Dictionary(
      uniqueKeysWithValues: unit.parameterTree.allParameters.filter {
        $0.flags.contains(.writable)
      }.map { ($0.keyPath, known($0.keyPath) ?? $0.value) })
  }
}

/// A change of one unit, that can be taken back and made again.
struct SessionStep: Sendable {
  struct Value: Sendable {
    let keyPath: String
    let before: Float
    /// Nil where the unit sets it by itself.
    let after: Float?
  }

  /// Which state of the session it leads to.
  var number = 0
  /// Its `size`, kept.
  var byteCount = 0
  let unit: String
  /// What it is about: `piano/gain`, or a unit.
  var path: String
  var text: String
  /// Whether it is one value of one parameter.
  var isValue = false
  /// Whether it cannot be taken back.
  var isFixed = false
  /// Whether the session is another one by it.
  var isChange = true
  var parameters: [Value] = []
  /// On which its values, or its entry, take effect, where that was still to come when they were
  /// set.
  var frame: Int64?
  var bypass: (before: Bool, after: Bool)?
  var resetsWithTransport: (before: Bool, after: Bool)?
  var settings: (before: StateDictionary, after: StateDictionary)?
  /// The entry of a live set that it selects.
  var entry: Int?
  var preset: (before: Preset?, after: Preset?)?
  /// Until it is recorded.
  var structure: (before: SessionStructure, after: SessionStructure, file: URL?)?
  /// Units that are in one of both come back as they were.
  var kept: (before: KeptStructure, after: KeptStructure)?
  /// The changes that this one is made of; it is about nothing else then.
  var parts: [SessionStep] = []

  /// Whether a history has it in the place of another.
  func isSame(as other: SessionStep) -> Bool {
    number == other.number && isFixed == other.isFixed
  }

  /// A value of a parameter.
  init(_ parameter: Parameter, of id: String, before: Float, after: Float) {
    unit = id
    path = SessionPath(unit: id, keyPath: parameter.keyPath).text
    text =
      "\(path) from \(parameter.string(fromValue: before)) to \(parameter.string(fromValue: after))"
    isValue = true
    parameters = [Value(keyPath: parameter.keyPath, before: before, after: after)]
  }

  private init(_ text: String, of id: String) {
    unit = id
    path = id
    self.text = text
  }

  init(bypassOf id: String, before: Bool, after: Bool) {
    self.init("\(id): bypass \(after ? "on" : "off")", of: id)
    bypass = (before, after)
  }

  /// A change of units or connections.
  /// - Parameter file: where their configurations find files.
  init(
    _ text: String, path: String, before: SessionStructure, after: SessionStructure, file: URL?
  ) {
    unit = ""
    self.path = path
    self.text = text
    structure = (before, after, file)
  }

  init(transportResetOf id: String, before: Bool, after: Bool) {
    self.init("\(id): reset-with-transport \(after ? "on" : "off")", of: id)
    resetsWithTransport = (before, after)
  }

  /// Several changes as one.
  init(together parts: [SessionStep]) {
    unit = ""
    path = parts.first?.path ?? ""
    text = Self.text(parts.map(\.text))
    self.parts = parts
  }

  /// What several changes are, the first of them by name.
  static func text(_ texts: [String]) -> String {
    let most = 8
    return texts.prefix(most).joined(separator: ", ")
      + (texts.count > most ? " and \(texts.count - most) others" : "")
  }

  init(fixed text: String, path: String, isChange: Bool) {
    unit = SessionPath(path).unit
    self.path = path
    self.text = text
    self.isChange = isChange
    isFixed = true
  }

  init(
    _ what: String, of unit: AudioUnit, _ id: String, before: UnitSnapshot, after: UnitSnapshot
  ) {
    self.init("\(id): \(what)", of: id)
    if before.settings != after.settings { settings = (before.settings, after.settings) }
    preset = (before.preset, after.preset)
    let named = Self.keyPathsOfEntries(of: unit)
    parameters = before.values.sorted { $0.key < $1.key }.compactMap { keyPath, old in
      let new = after.values[keyPath] ?? old
      // The way back to an entry sets what it names.
      guard new != old || (settings != nil && named.contains(keyPath)) else { return nil }
      return Value(keyPath: keyPath, before: old, after: new)
    }
  }

  /// The selection of an entry, which the unit makes by itself.
  init(
    _ what: String, of unit: AudioUnit, _ id: String, before: UnitSnapshot, entry: Int
  ) {
    self.init("\(id): \(what)", of: id)
    settings = (before.settings, before.settings)
    self.entry = entry
    preset = (before.preset, nil)
    let named = Self.keyPathsOfEntries(of: unit)
    parameters = before.values.filter { named.contains($0.key) }.sorted { $0.key < $1.key }.map {
      Value(keyPath: $0.key, before: $0.value, after: nil)
    }
  }

  private static func keyPathsOfEntries(of unit: AudioUnit) -> Set<String> {
    guard let entries: [any SelectableEntry] = (unit as? any EntrySelecting)?.entries else {
      return []
    }
    return Set(entries.flatMap(\.parameters.keys))
  }

  /// This change and the one before of the same parameter as one.
  func following(_ earlier: SessionStep) -> SessionStep {
    guard let first = earlier.parameters.first, let last = parameters.first else { return self }
    let end = text.range(of: " to ").map { String(text[$0.lowerBound...]) } ?? ""
    let start = earlier.text.range(of: " to ").map { String(earlier.text[..<$0.lowerBound]) } ?? ""
    var merged = SessionStep(unit: unit, path: path, text: start + end)
    merged.parameters = [
      Value(keyPath: last.keyPath, before: first.before, after: last.after)
    ]
    merged.frame = [earlier.frame, frame].compactMap(\.self).max()
    return merged
  }

  private init(unit: String, path: String, text: String) {
    self.unit = unit
    self.path = path
    self.text = text
    isValue = true
  }

  /// About what it holds, in bytes.
  var size: Int {
    256 + parameters.count * 64 + parts.reduce(0) { $0 + $1.size }
      + (kept.map { Self.byteCount($0.before, $0.after) } ?? 0)
      + (settings.map {
        PropertyListValue.dictionary($0.before).byteCount
          + PropertyListValue.dictionary($0.after).byteCount
      } ?? 0)
  }

  /// About what structures hold; the one before is mostly that of the step before. Units that are
  /// not there are counted by `KeptBytes`.
  private static func byteCount(_ before: KeptStructure, _ after: KeptStructure) -> Int {
    func texts(_ structure: KeptStructure) -> Int {
      structure.connections.count * 128 + structure.mappings.count * 256
        + structure.scenes.reduce(0) { $0 + 256 + $1.values.count * 96 }
    }
    let known = Set(before.units.map { ObjectIdentifier($0.kept) })
    let changed = after.units.filter { !known.contains(ObjectIdentifier($0.kept)) }
    return after.units.count * 384 + texts(after)
      + changed.reduce(0) { $0 + $1.configuration.byteCount }
  }

  /// Takes its structures into what the history keeps.
  mutating func keepUnits(_ units: inout KeptUnits) {
    if let (before, after, file) = structure {
      let former = units.keep(before, file: file)
      kept = (former, units.keep(after, file: file))
      structure = nil
    }
    for index in parts.indices { parts[index].keepUnits(&units) }
  }
}

extension AudioUnit {
  /// The preset of the entry that plays, where that has taken over from another one: the unit tells
  /// of it a little later. Nil for one of the user.
  fileprivate var presetOfEntry: Preset? {
    guard let preset = currentPreset, !preset.isUserPreset,
      let entry = (self as? any EntrySelecting)?.currentEntry
    else { return nil }
    return Preset(number: entry.number, name: entry.name)
  }
}

extension Preset {
  /// The entry of a live set that it stands for.
  func entry(of unit: AudioUnit) -> Int? {
    unit is any EntrySelecting && !isUserPreset ? number : nil
  }
}
