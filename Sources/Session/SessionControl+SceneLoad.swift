// A scene takes effect.

import Configuration
import SessionModel
import UnitModel

/// Where a session is in its time.
package struct SessionClock: Sendable {
  /// The first frame of the latest cycle.
  package let frame: Int64
  /// In frames.
  package let period: Int
  /// In hertz.
  package let sampleRate: Double

  package init(frame: Int64, period: Int, sampleRate: Double) {
    (self.frame, self.period, self.sampleRate) = (frame, period, sampleRate)
  }

  /// The first frame of a cycle that is late enough for all that is sent to be there by then.
  var soon: Int64 {
    let period = Int64(max(self.period, 1))
    let lead = Int64(sampleRate / 50) + 2 * period
    return frame + (lead + period - 1) / period * period
  }
}

extension SessionControl {
  /// Sets everything as a scene has it: values, entries and bypasses on one frame, behind a change
  /// of connections, or with it on a frame that is given.
  ///
  /// What is wrong with it changes nothing.
  ///
  /// - Parameter frame: one that has passed, and none, stand for one that is soon.
  func load(
    _ scene: SceneConfiguration, at frame: Int64?
  ) throws(SessionCommandError) -> Outcome {
    if let frame {
      try check(frame: frame)
      let now = status().frame
      try EditFrame.check(max(frame, (now ?? 0) + 1), now: now, sampleRate: sampleRate)
    }
    let name = quoted(scene.name.value)
    try Self.located(scene) { () throws(ConfigurationProblem) in
      _ = try SceneTargets(scene, among: units)
    }
    let (maker, history, clock, late, time) = (lateMaker, history, clock, late, time)
    @Sendable func load() async throws -> Int64? {
      let (step, targets, start) = try await Self.make(scene, maker, at: frame)
      if !step.edits.isEmpty {
        history.record(step, at: start.map { .known($0) } ?? .none)
      }
      guard let start, let now = clock() else { return nil }
      // What takes it back must not come before it.
      let wait = Double(start - now.frame + Int64(now.period)) / now.sampleRate
      try await time.sleep(for: .seconds(max(0, wait)))
      for (_, unit, isOn) in targets.bypasses where unit.shouldBypassEffect != isOn {
        unit.settleBypass(isOn)
      }
      return start
    }
    let claims: Set<Claim> = frame.map { [.frame($0)] } ?? []
    return later("scene \(name)", Claims(claims)) {
      if let frame { try await EditFrame.wait(until: frame, clock, time) }
      let start = try await late.holding(Claims([.structure]), load)
      return start.map { .frame($0) } ?? .done
    }
  }

  private static func located(
    _ scene: SceneConfiguration, _ body: () throws(ConfigurationProblem) -> Void
  ) throws(SessionCommandError) {
    do throws(ConfigurationProblem) { try body() } catch {
      throw SessionCommandError(
        "scene \(quoted(scene.name.value)): \(error.message)", accepted: error.accepted)
    }
  }

  /// Makes all of a scene, or nothing.
  ///
  /// - Parameter frame: where its connections begin too; nil for a frame that is soon behind these.
  /// - Returns: what was done, and the frame on which it takes effect; nil where nothing renders.
  private static func make(
    _ scene: SceneConfiguration, _ maker: EditMaker, at frame: Int64?
  ) async throws -> (SessionStep, SceneTargets, start: Int64?) {
    var connections: (step: SessionStep, frame: ChangeFrame)?
    if frame == nil { connections = try await connect(as: scene, maker) }
    do {
      let targets = try SceneTargets(scene, among: maker.running())
      let start = maker.clock().map { max(frame ?? 0, $0.soon) }
      let sets = steps(targets) { maker.history.target(of: $0) }
      let set = { @Sendable in _ = try maker.make(sets.flatMap(\.edits), at: start) }
      if frame != nil { connections = try await connect(as: scene, maker, at: start, with: set) }
      if frame == nil || connections == nil { try set() }
      if let (step, frame) = connections {
        maker.history.journal.add(step.text, path: step.path, frame)
      }
      var step = SessionStep(together: (connections.map { [$0.step] } ?? []) + sets)
      (step.text, step.path) = ("scene \(quoted(scene.name.value))", scene.name.value)
      return (step, targets, start)
    } catch { throw await maker.takeBack(connections?.step.edits ?? [], because: error) }
  }

  /// Makes the connections of a scene; nil where there is nothing to change.
  ///
  /// - Parameters:
  ///   - frame: where it begins; nil for at once.
  ///   - others: what is to be done before it, once nothing is wrong with it.
  static func connect(
    as scene: SceneConfiguration, _ maker: EditMaker, at frame: Int64? = nil,
    with others: (@Sendable () throws -> Void)? = nil
  ) async throws -> (SessionStep, ChangeFrame)? {
    guard let connections = scene.connections, let editor = maker.editor, let store = maker.store
    else { return nil }
    let origin = store.origin
    let configuration = origin.configuration
    // Those of units that the scene does not know stay.
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
    let frame = try await editor.edit(after, frame: frame, with: others)
    let step = maker.history.step(
      "scene \(quoted(scene.name.value)): connections", path: scene.name.value, from: before,
      to: after, file: origin.file)
    return (step, frame.map { .known($0) } ?? .none)
  }

  /// What changes, with what was before. Values of a scene come behind those that an entry sets.
  ///
  /// - Parameter former: a value that is known better than the unit tells it.
  static func steps(
    _ targets: SceneTargets, _ former: (SessionPath) -> Float?
  ) -> [SessionStep] {
    let entries = targets.entries.filter { !$0.isCurrent }
    return entries.map { entry in
      SessionStep(
        "entry \(entry.number)", of: entry.id,
        [.entry(entry.number, of: entry.unit, entry.id, before: UnitSnapshot(entry.unit))])
    }
      + (targets.valuesOfEntries + targets.values).map { value in
        let path = SessionPath(unit: value.id, keyPath: value.parameter.keyPath)
        return SessionStep(
          value.parameter, of: value.id,
          before: former(path) ?? value.parameter.value, after: value.number)
      }
      + targets.bypasses.filter { $0.unit.shouldBypassEffect != $0.isOn }.map { bypass in
        SessionStep(bypassOf: bypass.id, before: !bypass.isOn, after: bypass.isOn)
      }
  }
}

extension ConnectionConfiguration {
  fileprivate struct Ends: Hashable { let from, to: Endpoint }

  /// What it connects, wherever that is written.
  fileprivate var ends: Ends { Ends(from: from.value, to: to.value) }
}
