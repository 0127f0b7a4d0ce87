// Scenes of a configuration, resolved among the session's units.

import Configuration
import Graph
import UnitModel

/// The values, bypasses and entries of a scene, resolved among units.
package struct SceneTargets: Sendable {
  package struct Value: Sendable {
    package let id: String
    package let unit: AudioUnit
    package let parameter: Parameter
    package let number: Float
  }

  package struct Entry: Sendable {
    package let id: String
    package let unit: any EntrySelecting
    package let number: Int

    /// Whether the entry is already current.
    package var isCurrent: Bool { unit.currentEntry?.number == number }
  }

  package private(set) var values: [Value] = []
  package private(set) var bypasses: [(id: String, unit: AudioUnit, isOn: Bool)] = []
  package private(set) var entries: [Entry] = []

  /// Values of entries that are already current, for parameters with a different value now.
  package var valuesOfEntries: [Value] {
    let own = Set(values.map { ObjectIdentifier($0.parameter) })
    return entries.filter(\.isCurrent).flatMap { entry in
      (entry.unit.currentEntry?.parameters ?? [:]).sorted { $0.key < $1.key }.compactMap {
        keyPath, number -> Value? in
        guard let parameter = entry.unit.parameterTree.parameter(keyPath: keyPath),
          parameter.isMovable, parameter.value != number, !own.contains(ObjectIdentifier(parameter))
        else { return nil }
        return Value(id: entry.id, unit: entry.unit, parameter: parameter, number: number)
      }
    }
  }

  /// - Throws: the first setting that the units do not support, with its position.
  package init(
    _ scene: SceneConfiguration, among units: [(id: String, unit: AudioUnit)]
  ) throws(ConfigurationProblem) {
    let context = "scene \(quoted(scene.name.value))"
    func unit(_ id: String, at location: SourcePosition) throws(ConfigurationProblem) -> AudioUnit {
      guard let found = units.first(where: { $0.id == id }) else {
        throw .unknown("unit", id, in: context, accepted: units.map(\.id), at: location)
      }
      return found.unit
    }
    for bypass in scene.bypasses {
      let unit = try unit(bypass.unit.value, at: bypass.unit.location)
      bypasses.append((bypass.unit.value, unit, bypass.isOn.value))
    }
    for entry in scene.entries {
      let unit = try unit(entry.unit.value, at: entry.unit.location)
      entries.append(try Self.entry(entry, of: unit, units))
    }
    for setting in scene.values {
      let id = setting.unit
      let unit = try unit(id, at: setting.keyPath.location)
      let own = setting.withoutUnit
      let (parameter, number) = try SettingReader(unit: unit, id: id).read(own)
      guard parameter.isMovable else {
        let reason =
          parameter.flags.contains(.writable)
          ? "takes time to change" : "is what the unit reports"
        throw ConfigurationProblem(
          "\(quoted(setting.keyPath.value)) \(reason): no scene sets it",
          accepted: "parameters that change while the unit plays", at: setting.keyPath.location)
      }
      values.append(Value(id: id, unit: unit, parameter: parameter, number: number))
    }
  }

  private static func entry(
    _ entry: SceneConfiguration.Entry, of unit: AudioUnit, _ units: [(id: String, unit: AudioUnit)]
  ) throws(ConfigurationProblem) -> Entry {
    let id = entry.unit.value
    let ids = units.filter { $0.unit is any EntrySelecting }.map(\.id)
    guard let selecting = unit as? any EntrySelecting else {
      throw ConfigurationProblem(
        "unit '\(id)' has no entries",
        accepted: ids.isEmpty ? "none: no unit has some" : ids.joined(separator: ", "),
        at: entry.unit.location)
    }
    let entries: [any SelectableEntry] = selecting.entries
    guard let found = entries.first(where: { $0.name == entry.name.value }) else {
      throw .unknown(
        "entry", entry.name.value, in: "unit '\(id)'", accepted: entries.map(\.name),
        at: entry.name.location)
    }
    return Entry(id: id, unit: selecting, number: found.number)
  }
}

extension SessionBuilder {
  /// Checks the scenes of a session with these units.
  package func check(
    _ scenes: [SceneConfiguration], units: [(id: String, unit: AudioUnit)]
  ) throws(ConfigurationProblem) {
    for scene in scenes {
      _ = try SceneTargets(scene, among: units)
      try checkConnections(of: scene, units)
    }
  }

  /// Makes a scene's connections in a graph that is not rendered.
  private func checkConnections(
    of scene: SceneConfiguration, _ units: [(id: String, unit: AudioUnit)]
  ) throws(ConfigurationProblem) {
    guard let connections = scene.connections else { return }
    let graph = Graph()
    graph.opensInputsAtOnce = false
    for (id, unit) in units {
      _ = try located(scene.location) { () throws(GraphError) in try graph.add(unit, id: id) }
    }
    _ = try connect(connections, in: graph)
  }

  /// Removes the settings of scenes that the replacement units `made` do not support.
  package func fit(
    _ scenes: inout [SceneConfiguration], to made: Set<String>,
    _ units: [(id: String, unit: AudioUnit)]
  ) {
    for index in scenes.indices {
      func isFine(_ id: String, _ edit: (inout SceneConfiguration) -> Void) -> Bool {
        guard made.contains(id) else { return true }
        var part = SceneConfiguration(name: scenes[index].name, at: scenes[index].location)
        edit(&part)
        do throws(ConfigurationProblem) { _ = try SceneTargets(part, among: units) } catch {
          return false
        }
        return true
      }
      let scene = scenes[index]
      scenes[index].values = scene.values.filter { value in
        isFine(value.unit) { $0.values = [value] }
      }
      scenes[index].entries = scene.entries.filter { entry in
        isFine(entry.unit.value) { $0.entries = [entry] }
      }
      let areFine: Bool
      do throws(ConfigurationProblem) {
        try checkConnections(of: scene, units)
        areFine = true
      } catch { areFine = false }
      if !areFine { scenes[index].connections?.removeAll { $0.touches(made) } }
    }
  }
}

extension ConnectionConfiguration {
  /// Whether one of its ends is one of these units.
  func touches(_ ids: Set<String>) -> Bool {
    [from.value.unit, to.value.unit].contains { $0.map(ids.contains) ?? false }
  }
}

extension SessionConfiguration {
  /// Removes a unit from all scenes.
  mutating func removeFromScenes(_ id: String) {
    for index in scenes.indices { scenes[index].remove(id) }
  }
}

extension SceneConfiguration {
  /// Removes all settings and connections of a unit.
  mutating func remove(_ id: String) {
    values.removeAll { $0.unit == id }
    bypasses.removeAll { $0.unit.value == id }
    entries.removeAll { $0.unit.value == id }
    connections?.removeAll { $0.touches([id]) }
  }
}
