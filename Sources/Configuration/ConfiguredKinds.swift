// The kinds of units that have keys of their own.

public import UnitModel

extension ComponentRegistry {
  /// The kinds of units that have keys of their own in configurations.
  ///
  /// - Thread: [control]
  public var configurableUnits: [any ConfigurableUnit.Type] {
    components.compactMap { $0.unitType as? any ConfigurableUnit.Type }
  }

  /// The kind of a unit, as its configuration names it.
  ///
  /// - Returns: nil for a component that there is not, and one that says nothing of its kind.
  /// - Thread: [control]
  public func unitType(of unit: UnitConfiguration) -> AudioUnit.Type? {
    (try? component(named: unit.component.value))?.unitType
  }
}
