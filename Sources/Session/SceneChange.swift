// Loading all of a scene, or nothing.

import Configuration
import SessionModel
import UnitModel

/// The change that loads a scene: all of it, or nothing.
struct SceneChange: Sendable {
  let scene: SceneConfiguration
  let maker: EditMaker
  /// Frame at which it takes effect, with its connections; nil for a frame soon after these.
  var frame: Int64?

  /// Changes by a scene, without its connections.
  private struct Sets: Sendable {
    let targets: SceneTargets
    let steps: [SessionStep]
    /// Frame at which they take effect; nil if nothing renders.
    let start: Int64?

    var edits: [Edit] { steps.flatMap(\.edits) }
  }

  /// Makes the change, and records it.
  ///
  /// The caller holds the claim of the structure.
  ///
  /// - Returns: the targets that were set, and the frame; nil if nothing renders.
  func make() async throws -> (targets: SceneTargets, start: Int64?) {
    let sets: Sets
    if let connections = try connections(), let editor = maker.editor {
      sets =
        frame == nil
        ? try await set(behind: connections, editor) : try await set(with: connections, editor)
    } else {
      let made = try await maker.commit { try setAtOnce(behind: nil) }
      sets = if let made { made } else { try await setWaiting(behind: nil) }
    }
    return (sets.targets, sets.start)
  }

  private func set(
    behind connections: Connections, _ editor: SessionEditor
  ) async throws -> Sets {
    var isConnected = false
    do {
      let made = try await editor.edit(connections.structure) { frame in
        Result { try setAtOnce(behind: (connections.step, frame)) }
      }
      isConnected = true
      if let sets = try made.get() { return sets }
      return try await setWaiting(behind: (connections.step, nil))
    } catch {
      throw await maker.takeBack(isConnected ? connections.step.edits : [], because: error)
    }
  }

  /// - Parameter connections: the connections that were made, and the frame at which they began.
  /// - Returns: nil if parts of the scene wait; nothing has changed then.
  /// - Thread: the one that runs the session.
  private func setAtOnce(behind connections: (step: SessionStep, frame: Int64?)?) throws -> Sets? {
    let sets = try sets()
    guard sets.start != nil || maker.areAtOnce(sets.edits) else { return nil }
    try maker.atOnce.make(sets.edits, at: sets.start)
    record(sets, connections)
    return sets
  }

  /// Does the same off that thread: while nothing renders, entries read their SoundFonts before
  /// they are selected.
  private func setWaiting(
    behind connections: (step: SessionStep, frame: Int64?)?
  ) async throws -> Sets {
    let sets = try sets()
    try maker.make(sets.edits)
    try await maker.commit { record(sets, connections) }
    return sets
  }

  /// Makes the change at one frame with its connections.
  private func set(
    with connections: Connections, _ editor: SessionEditor
  ) async throws -> Sets {
    let sets = try sets()
    return try await maker.edit(
      connections.structure, behind: sets.edits, .on(sets.start), frame: sets.start, by: editor
    ) { frame, _ in
      record(sets, (connections.step, frame))
      return sets
    }
  }

  private func sets() throws(ConfigurationProblem) -> Sets {
    let targets = try SceneTargets(scene, among: maker.running())
    return Sets(
      targets: targets, steps: targets.steps { maker.history.target(of: $0) },
      start: maker.clock().map { max(frame ?? 0, $0.soon) })
  }

  private func record(_ sets: Sets, _ connections: (step: SessionStep, frame: Int64?)?) {
    if let (step, frame) = connections {
      maker.history.journal.add(
        step.text, path: step.path, frame.map { .known($0) } ?? .none)
    }
    var step = SessionStep(together: (connections.map { [$0.step] } ?? []) + sets.steps)
    (step.text, step.path) = ("scene \(quoted(scene.name.value))", scene.name.value)
    if step.edits.isEmpty { return }
    maker.history.record(step, at: sets.start.map { .known($0) } ?? .none)
  }

  // MARK: Connections

  typealias Connections = (step: SessionStep, structure: SessionStructure)

  /// Returns the change of its connections; nil if there is none.
  func connections() throws -> Connections? {
    guard let connections = scene.connections, let editor = maker.editor, let store = maker.store
    else { return nil }
    let origin = store.origin
    let configuration = origin.configuration
    // Connections of units that the scene does not name stay.
    let known = scene.unitIDs.union(
      connections.flatMap { [$0.from.value.unit, $0.to.value.unit].compactMap { $0 } })
    let kept = configuration.connections.filter {
      ![$0.from.value.unit, $0.to.value.unit].allSatisfy { $0.map(known.contains) ?? true }
    }
    guard Set(configuration.connections.map(\.ends)) != Set((connections + kept).map(\.ends))
    else { return nil }
    guard let before = SessionStructure(configuration, editor.units) else {
      throw SessionCommandError("this session plays a file: its connections cannot change")
    }
    var after = before
    after.connections = connections + kept
    let step = maker.history.step(
      "scene \(quoted(scene.name.value)): connections", path: scene.name.value, from: before,
      to: after, file: origin.file)
    return (step, after)
  }
}

extension SceneTargets {
  /// Returns the changes, with the former values. Values of a scene follow those that an entry
  /// sets.
  ///
  /// - Parameter former: returns a better known value than the unit's; nil for none.
  func steps(_ former: (SessionPath) -> Float?) -> [SessionStep] {
    entries.filter { !$0.isCurrent }.map { entry in
      SessionStep(
        "entry \(entry.number)", of: entry.id,
        [.entry(entry.number, of: entry.unit, entry.id, before: UnitSnapshot(entry.unit))])
    }
      + (valuesOfEntries + values).map { value in
        let path = SessionPath(unit: value.id, keyPath: value.parameter.keyPath)
        return SessionStep(
          value.parameter, of: value.id,
          before: former(path) ?? value.parameter.value, after: value.number)
      }
      + bypasses.filter { $0.unit.shouldBypassEffect != $0.isOn }.map { bypass in
        SessionStep(.bypass, of: bypass.id, before: !bypass.isOn, after: bypass.isOn)
      }
  }
}

extension ConnectionConfiguration {
  fileprivate struct Ends: Hashable { let from, to: Endpoint }

  /// Ends of the connection, without their positions in the text.
  fileprivate var ends: Ends { Ends(from: from.value, to: to.value) }
}
