// Mappings of a configuration.

import Configuration
import ControlUnit
import Graph
import UnitModel

extension SessionBuilder {
  /// Adds the control unit, if there are mappings.
  ///
  /// - Parameters:
  ///   - former: the node of the running session, to keep.
  ///   - listens: whether to add it without mappings too.
  func addControl(
    for mappings: [MappingConfiguration], to graph: Graph, keeping former: Graph.Node? = nil,
    listens: Bool = false
  ) throws(ConfigurationProblem) {
    guard listens || !mappings.isEmpty else { return }
    let location = mappings.first?.location ?? .command
    if let former {
      _ = try located(location) { () throws(GraphError) in try graph.keep(former) }
      return
    }
    let unit: ControlUnit
    do { unit = try ControlUnit() } catch {
      throw ConfigurationProblem("\(error)", at: location)
    }
    _ = try located(location) { () throws(GraphError) in
      try graph.add(unit, id: SessionConfiguration.controlID)
    }
  }

  /// Resolves mappings, and connects the control unit to their units. Connections are made by then.
  func map(
    _ mappings: [MappingConfiguration], _ scenes: [SceneConfiguration], in graph: Graph
  ) throws(ConfigurationProblem) -> [ControlMapping] {
    guard !mappings.isEmpty else { return [] }
    let control = try located(mappings[0].location) { () throws(GraphError) in
      try graph.index(of: SessionConfiguration.controlID)
    }
    var reached: Set<Int> = []
    var made: [ControlMapping] = []
    for mapping in mappings {
      guard case .parameter(let path) = mapping.target.value else {
        let trigger = try trigger(mapping, scenes, control, &reached, in: graph)
        made.append(ControlMapping(mapping, settingOff: trigger))
        continue
      }
      let (place, parameter) = try parameter(at: path, of: mapping, in: graph)
      let node = graph.nodes[place]
      if reached.insert(place).inserted {
        try located(mapping.target.location) { () throws(GraphError) in
          try graph.connectParameters(from: control, to: place)
        }
      }
      let (first, last) = try ends(of: mapping, parameter, node)
      made.append(
        ControlMapping(
          mapping, moving: parameter, of: node.unit, target: node.identity.eventTarget,
          from: first, to: last))
    }
    return made
  }

  private func parameter(
    at text: String, of mapping: MappingConfiguration, in graph: Graph
  ) throws(ConfigurationProblem) -> (place: Int, Parameter) {
    let path = SessionPath(text)
    let location = mapping.target.location
    let ids = graph.nodes.filter { !($0.unit is ControlUnit) }.map(\.id)
    guard ids.contains(path.unit),
      let place = graph.nodes.firstIndex(where: { $0.id == path.unit })
    else {
      throw .unknown("unit", path.unit, in: "[[map]]", accepted: ids, at: location)
    }
    let parameters = graph.nodes[place].unit.parameterTree.allParameters
    let movable = parameters.filter(\.isMovable)
    let accepted = KeyPathGroup.groups(movable.map(\.keyPath)).map {
      SessionPath(unit: path.unit, keyPath: $0.text).text
    }
    guard let keyPath = path.keyPath,
      let parameter = parameters.first(where: { $0.keyPath == keyPath })
    else {
      throw .unknown(
        "parameter", text, in: "[[map]]", accepted: accepted, at: location)
    }
    guard parameter.isMovable else {
      let reason =
        parameter.flags.contains(.writable) ? "takes time to change" : "is what the unit reports"
      throw ConfigurationProblem(
        "\(quoted(text)) \(reason): no controller moves it",
        accepted: accepted.isEmpty ? "none" : accepted.joined(separator: ", "), at: location)
    }
    if let ramp = mapping.ramp, ramp.value > 0, !parameter.flags.contains(.canRamp) {
      throw ConfigurationProblem(
        "\(quoted(text)) cannot ramp", accepted: "no 'ramp'", at: ramp.location)
    }
    return (place, parameter)
  }

  /// Returns the values at the two ends of the control's range.
  private func ends(
    of mapping: MappingConfiguration, _ parameter: Parameter, _ node: Graph.Node
  ) throws(ConfigurationProblem) -> (first: Float, last: Float) {
    guard let range = mapping.range else {
      return (parameter.range.lowerBound, parameter.range.upperBound)
    }
    let reader = SettingReader(unit: node.unit, id: node.id)
    func value(_ end: Located<SettingValue>) throws(ConfigurationProblem) -> Float {
      try reader.read(
        Setting(keyPath: Located(parameter.keyPath, at: end.location), value: end)
      ).1
    }
    let (first, last) = (try value(range.first), try value(range.last))
    guard first != last else {
      throw ConfigurationProblem(
        "both ends of 'range' are the same", accepted: "two values, in any order",
        at: range.last.location)
    }
    return (first, last)
  }
}

extension Parameter {
  /// Whether a parameter event on the render thread can set it.
  package var isMovable: Bool {
    flags.contains(.writable) && !flags.contains(.nonRealTime)
  }
}

extension SessionPlan {
  /// The control unit's node; nil without mappings, unless the session listens.
  package var controlNode: Graph.Node? { graph.nodes.first { $0.unit is ControlUnit } }

  /// Puts the mappings of this plan into effect.
  package func applyMappings() { (controlNode?.unit as? ControlUnit)?.mappings = controlMappings }
}
