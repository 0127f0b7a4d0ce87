// Triggers of a configuration: program changes, keys and switches.

import Configuration
import ControlUnit
import Graph
import UnitModel

extension SessionBuilder {
  /// Resolves a mapping's trigger, and connects the control unit to the units whose values it sets.
  ///
  /// - Parameters:
  ///   - control: the index of the control unit.
  ///   - reached: the indices of units that it is connected to.
  func trigger(
    _ mapping: MappingConfiguration, _ scenes: [SceneConfiguration], _ control: Int,
    _ reached: inout Set<Int>, in graph: Graph
  ) throws(ConfigurationProblem) -> ControlTrigger {
    let units = graph.nodes.filter { !($0.unit is ControlUnit) }
    switch mapping.target.value {
    case .parameter, .panic:
      return ControlTrigger(.panic, resets: units.map(\.unit))
    case .scene(let name):
      guard let scene = scenes.named(name, by: \.name.value) else {
        throw .unknown(
          "scene", name, in: "[[map]]", accepted: scenes.map(\.name.value),
          at: mapping.target.location)
      }
      // Settings that units have lost since are reported when the scene is loaded.
      let targets = try? SceneTargets(scene, among: units.map { ($0.id, $0.unit) })
      let values = targets?.values.map { (unit: $0.unit, $0.parameter, $0.number) } ?? []
      return trigger(
        mapping, values, targets?.bypasses.map { ($0.unit, $0.isOn) } ?? [], control, &reached,
        in: graph)
    case .preset(let id, let name):
      guard let unit = units.first(where: { $0.id == id })?.unit else {
        throw .unknown(
          "unit", id, in: "[[map]]", accepted: units.map(\.id), at: mapping.target.location)
      }
      // A user preset was searched for when it was mapped, and is read when it is loaded.
      let preset = unit.factoryPresets.named(name, by: \.name)
      let values = preset.map { unit.movableValues(of: $0) } ?? []
      return trigger(mapping, values, [], control, &reached, in: graph)
    }
  }

  /// Checks that the presets of mappings exist, also in the user's folders. Must not be called on
  /// the thread that runs a session: such a folder may block it.
  ///
  /// - Throws: the first missing preset, with its position.
  /// - Thread: [control]
  package func checkPresets(
    of mappings: [MappingConfiguration], units: [(id: String, unit: AudioUnit)]
  ) throws(ConfigurationProblem) {
    for mapping in mappings {
      guard case .preset(let id, let name) = mapping.target.value,
        let unit = units.first(where: { $0.id == id })?.unit,
        unit.factoryPresets.named(name, by: \.name) == nil
      else { continue }
      try located(mapping.target.location) { () throws(PresetError) in
        let presets = try unit.allPresets
        guard presets.named(name, by: \.name) == nil else { return }
        throw .unknownPreset(Preset(number: 0, name: name), known: presets.map(\.name))
      }
    }
  }

  /// A unit upstream of the control unit gets no events: the session sets its values afterwards.
  private func trigger(
    _ mapping: MappingConfiguration,
    _ values: [(unit: AudioUnit, parameter: Parameter, number: Float)],
    _ bypasses: [(unit: AudioUnit, isOn: Bool)], _ control: Int, _ reached: inout Set<Int>,
    in graph: Graph
  ) -> ControlTrigger {
    var others: Set<String> = []
    /// Returns the number of a unit in events; nil for a unit that cannot be connected.
    func target(of unit: AudioUnit) -> UInt32? {
      guard let place = graph.nodes.firstIndex(where: { $0.unit === unit }) else { return nil }
      if !reached.contains(place) {
        do throws(GraphError) {
          try graph.connectParameters(from: control, to: place)
          reached.insert(place)
        } catch {
          others.insert(graph.nodes[place].id)
          return nil
        }
      }
      return graph.nodes[place].identity.eventTarget
    }
    let made = values.compactMap { unit, parameter, number in
      target(of: unit).map { ControlTrigger.Value(parameter, target: $0, value: number) }
    }
    let switched = bypasses.compactMap { unit, isOn in
      target(of: unit).map { ControlTrigger.Bypass(target: $0, isOn: isOn) }
    }
    return ControlTrigger(
      mapping.target.value, values: made, bypasses: switched, others: others)
  }
}

extension AudioUnit {
  /// Returns the values of a preset if all of them can change while the unit plays, otherwise none.
  package func movableValues(
    of preset: Preset
  ) -> [(unit: AudioUnit, parameter: Parameter, number: Float)] {
    guard !preset.isUserPreset, !(self is any EntrySelecting) else { return [] }
    let values = factoryPresetValues(of: preset).compactMap { keyPath, value in
      parameterTree.parameter(keyPath: keyPath).map { (self, $0, value) }
    }
    return values.allSatisfy { $0.1.isMovable } ? values : []
  }
}
