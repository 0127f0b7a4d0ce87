// What a file that was written changes in a session which has been edited meanwhile.

import Configuration
import UnitModel

/// The structure that a session gets from its file: what the file changed is changed, and what was
/// added, removed or replaced by hand stays so.
package struct SessionRebase: Sendable {
  /// What is to run.
  package private(set) var target: SessionConfiguration
  /// The ids of the units that are to be made for it.
  package private(set) var made: Set<String>

  private let running: SessionConfiguration
  private let base: SessionConfiguration
  private let new: SessionConfiguration

  /// - Parameters:
  ///   - running: what runs.
  ///   - base: the file as it was read or saved last.
  ///   - new: the file as it is now, with numbers for inputs.
  ///   - written: the same as it was written.
  ///   - made: the ids of units that are new in it, or of another structure.
  /// - Throws: a change of the file that cannot be, because its unit was removed or replaced by
  ///   hand.
  package init(
    _ running: SessionConfiguration, from base: SessionConfiguration,
    to new: SessionConfiguration, written: SessionConfiguration, made: Set<String>,
    _ registry: ComponentRegistry
  ) throws(ConfigurationProblem) {
    (self.running, self.base, self.new, self.made) = (running, base, new, made)
    target = new
    target.units = try units(registry)
    target.connections = connections(written)
    target.mappings = Self.merged(running.mappings, from: base.mappings, to: new.mappings)
    target.scenes = scenes(written)
    dropWhatIsGone()
    target = target.numberingInputs(registry)
  }

  /// Whether anything but settings of units is another one than what runs.
  package var changesStructure: Bool {
    !made.isEmpty || target.units.map(\.id) != running.units.map(\.id)
      || target.connections != running.connections || target.mappings != running.mappings
      || target.scenes != running.scenes
  }

  /// The ids of units that come, go, or are connected or moved otherwise, and of those among them
  /// that go.
  package var changedIDs: (touched: Set<String>, takenAway: Set<String>) {
    let (old, new) = (Set(running.units.map(\.id.value)), Set(target.units.map(\.id.value)))
    var touched = old.symmetricDifference(new).union(made)
    for connection in Self.changed(running.connections, target.connections) {
      touched.formUnion([connection.from.value.unit, connection.to.value.unit].compactMap { $0 })
    }
    touched.formUnion(Self.changed(running.mappings, target.mappings).compactMap(\.unit))
    return (touched, old.subtracting(new.subtracting(made)))
  }

  private static func changed<Element: Equatable>(_ old: [Element], _ new: [Element]) -> [Element] {
    old.filter { !new.contains($0) } + new.filter { !old.contains($0) }
  }

  // MARK: Units

  private mutating func units(_ registry: ComponentRegistry) throws(ConfigurationProblem)
    -> [UnitConfiguration]
  {
    var units: [UnitConfiguration] = []
    for unit in new.units {
      let former = base.units.first { $0.id == unit.id }
      let own = running.units.first { $0.id == unit.id }
      switch (former, own) {
      case (let former?, let own?) where former == unit:
        // With the places of the file as it is now, wherever they are the same.
        units.append(own == unit ? unit : own)
      case (let former?, let own?):
        let isMade = made.contains(unit.id.value)
        guard isMade || own.structure(registry) == former.structure(registry) else {
          throw Self.refusal(of: unit, "replaced in")
        }
        units.append(unit)
      case (let former?, nil):
        // Removed by hand, and no more than that.
        if former == unit { continue }
        throw Self.refusal(of: unit, "removed from")
      case (nil, let own?):
        // Added by hand, too.
        if own == unit { made.remove(unit.id.value) }
        units.append(unit)
      case (nil, nil):
        units.append(unit)
      }
    }
    let known = Set((base.units + new.units).map(\.id.value))
    return units + running.units.filter { !known.contains($0.id.value) }
  }

  private static func refusal(
    of unit: UnitConfiguration, _ fate: String
  ) -> ConfigurationProblem {
    ConfigurationProblem(
      "unit '\(unit.id.value)' has been \(fate) the session that runs",
      accepted: "no change of it here, or auricle ctl undo there", at: unit.id.location)
  }

  // MARK: Lists

  /// Those of a list that the file has now, without what was removed by hand, and behind them what
  /// was added by hand.
  private static func merged<Element: Equatable>(
    _ running: [Element], from base: [Element], to new: [Element]
  ) -> [Element] {
    new.filter { !base.contains($0) || running.contains($0) }
      + running.filter { !base.contains($0) && !new.contains($0) }
  }

  /// What the file adds without the number of an input takes one that is free.
  private func connections(_ written: SessionConfiguration) -> [ConnectionConfiguration] {
    let kept = zip(new.connections, written.connections).compactMap { now, written in
      if base.connections.contains(now) { return running(now) }
      return running.connections.contains(now) ? now : written
    }
    let known = base.connections + base.connections.compactMap(running) + new.connections
    return kept + running.connections.filter { !known.contains($0) }
  }

  /// A connection of the file as it runs: at another input of its unit where it has found its own
  /// taken, or was moved by hand.
  private func running(_ connection: ConnectionConfiguration) -> ConnectionConfiguration? {
    if running.connections.contains(connection) { return connection }
    return running.connections.first {
      $0.from == connection.from && $0.to.value.unit != nil
        && $0.to.value.unit == connection.to.value.unit
        && !base.connections.contains($0) && !new.connections.contains($0)
    }
  }

  private func scenes(_ written: SessionConfiguration) -> [SceneConfiguration] {
    let known = Set((base.scenes + new.scenes).map(\.name.value))
    return zip(new.scenes, written.scenes).compactMap { now, written in
      if !base.scenes.contains(now) { return written }
      if running.scenes.contains(now) { return now }
      // As it runs, also where that has none.
      return running.scenes.first { $0.name == now.name }
    } + running.scenes.filter { !known.contains($0.name.value) }
  }

  /// What was added by hand for a unit or a scene goes with it.
  private mutating func dropWhatIsGone() {
    let gone = Set(base.units.map(\.id.value)).subtracting(new.units.map(\.id.value))
    let scenes = Set(base.scenes.map(\.name.value)).subtracting(new.scenes.map(\.name.value))
    let (written, mapped) = (new.connections, new.mappings)
    target.connections.removeAll { $0.touches(gone) && !written.contains($0) }
    target.removeMappings { mapping in
      if mapped.contains(mapping) { return false }
      if case .scene(let name) = mapping.target.value { return scenes.contains(name) }
      return mapping.unit.map(gone.contains) == true
    }
    // What the file itself says of a unit that it does not have is its mistake.
    let changed = new.scenes.filter { !base.scenes.contains($0) }.map(\.name.value)
    for (index, scene) in target.scenes.enumerated()
    where !new.scenes.contains(scene) && !changed.contains(scene.name.value) {
      for id in gone { target.scenes[index].remove(id) }
    }
  }
}
