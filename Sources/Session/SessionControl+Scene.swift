// Scenes of a running session: list, save and delete.

import Configuration
import SessionModel
import UnitModel

extension SessionControl {
  func scene(_ action: SessionCommand.SceneAction) throws(SessionCommandError) -> Outcome {
    switch action {
    case .list: return .done(.scenes(scenes.map { SceneReading($0) }))
    case .load(let name, let frame): return try load(try scene(named: name), at: frame)
    case .save(let name, let paths):
      return try restructure([save(scene: name, of: paths)])
    case .delete(let name): return try restructure([delete(scene: name)])
    }
  }

  private var scenes: [SceneConfiguration] { store?.origin.configuration.scenes ?? [] }

  func scene(named name: String) throws(SessionCommandError) -> SceneConfiguration {
    guard let scene = scenes.named(name, by: \.name.value) else {
      throw Self.unknown(name, scenes)
    }
    return scene
  }

  private static func unknown(
    _ name: String, _ scenes: [SceneConfiguration]
  ) -> SessionCommandError {
    .unknown("scene", name, in: "this session", accepted: scenes.map(\.name.value))
  }

  // MARK: Changing

  private func delete(scene name: String) throws(SessionCommandError) -> StructureChange {
    _ = try scene(named: name)
    return StructureChange(text: "scene \(quoted(name)): deleted", path: name) { configuration in
      guard configuration.scenes.contains(where: { $0.name.value == name }) else {
        throw Self.unknown(name, configuration.scenes)
      }
      configuration.scenes.removeAll { $0.name.value == name }
      configuration.removeMappings { $0.target.value == .scene(name) }
      return []
    }
  }

  /// - Parameter paths: the parts of the session to save; if empty, all, with the connections.
  private func save(
    scene name: String, of paths: [String]
  ) throws(SessionCommandError) -> StructureChange {
    _ = try readings(below: paths)
    let located: Located<String>
    do throws(ConfigurationProblem) {
      located = try ConfigurationValue(.string(name), at: .command).name("name")
    } catch { throw SessionCommandError(error) }
    let (running, history) = (running, history)
    return StructureChange(text: "scene \(quoted(name)): saved", path: name) { configuration in
      var scene = SceneConfiguration(name: located, at: .command)
      scene.take(paths, of: running()) { history.target(of: $0) }
      if paths.isEmpty {
        scene.connections = configuration.connections.filter { !$0.isOfControl }
      }
      let most = SceneConfiguration.maximumValueCount
      guard scene.values.count <= most else {
        throw SessionCommandError(
          "a scene of \(scene.values.count) values",
          accepted: "up to \(most): name the units or parameters that it is to have")
      }
      guard !scene.isEmpty else {
        throw SessionCommandError(
          "there is nothing that a scene could set",
          accepted: "parameters that change while the unit plays")
      }
      if let place = configuration.scenes.firstIndex(where: { $0.name.value == name }) {
        configuration.scenes[place] = scene
      } else {
        configuration.scenes.append(scene)
      }
      guard configuration.scenes.count <= SceneConfiguration.maximumCount else {
        throw SessionCommandError(
          "\(configuration.scenes.count) scenes",
          accepted: "up to \(SceneConfiguration.maximumCount)")
      }
      guard configuration.toml.utf8.count <= SessionConfiguration.maximumBytes else {
        throw SessionCommandError(
          "there is no room for it in a file",
          accepted: "fewer scenes, or scenes of fewer values: name units or parameters")
      }
      return []
    }
  }
}

extension SceneConfiguration {
  /// Takes the settings of units.
  ///
  /// - Parameters:
  ///   - paths: existing units, groups and parameters; if empty, all.
  ///   - target: returns the value that a ramp moves a parameter to; nil if it is at rest.
  fileprivate mutating func take(
    _ paths: [String], of units: [(id: String, unit: AudioUnit)],
    target: (SessionPath) -> Float?
  ) {
    let places = paths.map { SessionPath($0) }
    for (id, unit) in units {
      let own = places.filter { $0.unit == id }
      guard paths.isEmpty || !own.isEmpty else { continue }
      let isWhole = paths.isEmpty || own.contains { $0.keyPath == nil }
      var entry: (any SelectableEntry)?
      if isWhole {
        bypasses.append(
          Bypass(
            unit: Located(id, at: .command), isOn: Located(unit.shouldBypassEffect, at: .command)))
        entry = (unit as? any EntrySelecting)?.currentEntry
        if let entry {
          entries.append(
            Entry(unit: Located(id, at: .command), name: Located(entry.name, at: .command)))
        }
      }
      let tree = unit.parameterTree
      let nodes: [ParameterNode] =
        isWhole ? [tree] : own.compactMap { $0.keyPath.flatMap { tree.node(keyPath: $0) } }
      var wanted = Set(nodes.flatMap { $0.parameters.map(\.keyPath) })
      for parameter in tree.allParameters where !parameter.isMovable {
        wanted.remove(parameter.keyPath)
      }
      for parameter in tree.allParameters where wanted.contains(parameter.keyPath) {
        let number =
          target(SessionPath(unit: id, keyPath: parameter.keyPath)) ?? parameter.value
        let value = parameter.isWhole ? number.rounded() : number
        // The entry itself sets it.
        if let entry, entry.parameters[parameter.keyPath] == value { continue }
        values.append(
          Setting(
            keyPath: Located("\(id).\(parameter.keyPath)", at: .command),
            value: Located(UnitDocument.text(value, of: parameter), at: .command)))
      }
    }
  }
}
