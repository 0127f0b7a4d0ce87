// Merging a changed file into a session that has been edited since.

import Configuration
import UnitModel

/// The structure of a session after its file has changed. Changes of the file are applied; units
/// and connections that were added, removed or replaced by hand stay so.
package struct SessionRebase: Sendable {
  /// The configuration to run.
  package private(set) var target: SessionConfiguration
  /// The ids of the units to be made for it.
  package private(set) var made: Set<String>

  private let running: SessionConfiguration
  private let base: SessionConfiguration
  private let new: SessionConfiguration

  /// - Parameters:
  ///   - running: the running configuration.
  ///   - base: the file as it was read or saved last.
  ///   - new: the present file, with numbers for inputs.
  ///   - written: the present file without these numbers.
  ///   - made: the ids of units that are new in the file, or whose structure has changed.
  /// - Throws: if the file changes a unit that was removed or replaced by hand.
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

  /// Whether it changes more than settings of units.
  package var changesStructure: Bool {
    !made.isEmpty || target.units.map(\.id) != running.units.map(\.id)
      || target.connections != running.connections || target.mappings != running.mappings
      || target.scenes != running.scenes
  }

  /// The ids of units that are added, removed, replaced, connected or mapped differently
  /// (`touched`), and of those removed or replaced (`takenAway`).
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
        // With the positions of the present file, if the unit is unchanged.
        units.append(own == unit ? unit : own)
      case (let former?, let own?):
        let isMade = made.contains(unit.id.value)
        guard isMade || own.structure(registry) == former.structure(registry) else {
          throw Self.refusal(of: unit, "replaced in")
        }
        var unit = unit
        if unit.place == former.place { unit.place = own.place }
        units.append(unit)
      case (let former?, nil):
        // Only removed by hand.
        if former == unit { continue }
        throw Self.refusal(of: unit, "removed from")
      case (nil, let own?):
        // Also added by hand.
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

  /// Returns the elements of the new file without those removed by hand, followed by those added by
  /// hand.
  private static func merged<Element: Equatable>(
    _ running: [Element], from base: [Element], to new: [Element]
  ) -> [Element] {
    new.filter { !base.contains($0) || running.contains($0) }
      + running.filter { !base.contains($0) && !new.contains($0) }
  }

  /// A connection that the file adds without an input number takes a free input.
  private func connections(_ written: SessionConfiguration) -> [ConnectionConfiguration] {
    let kept = zip(new.connections, written.connections).compactMap { now, written in
      if base.connections.contains(now) { return running(now) }
      return running.connections.contains(now) ? now : written
    }
    let known = base.connections + base.connections.compactMap(running) + new.connections
    return kept + running.connections.filter { !known.contains($0) }
  }

  /// Returns the running connection for one of the file; nil if it was removed. It may be at
  /// another input of its unit: its own was taken, or it was moved by hand.
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
      // The running scene, or none if it was removed.
      return running.scenes.first { $0.name == now.name }
    } + running.scenes.filter { !known.contains($0.name.value) }
  }

  /// Removes connections, mappings and scene values added by hand for a removed unit or scene.
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
    // If the file itself refers to a unit that it does not have, that is its error.
    let changed = new.scenes.filter { !base.scenes.contains($0) }.map(\.name.value)
    for (index, scene) in target.scenes.enumerated()
    where !new.scenes.contains(scene) && !changed.contains(scene.name.value) {
      for id in gone { target.scenes[index].remove(id) }
    }
  }
}
