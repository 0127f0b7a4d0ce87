// The kinds of units that have keys of their own.

public import UnitModel

extension ComponentRegistry {
  /// The components whose units have keys of their own in configurations.
  ///
  /// - Thread: [control]
  public var configurableUnits: [Component] {
    components.filter { $0.unitType is any ConfigurableUnit.Type }
  }

  /// The kind of a unit, as its configuration names it.
  ///
  /// - Returns: nil for a component that there is not, and one that says nothing of its kind.
  /// - Thread: [control]
  public func unitType(of unit: UnitConfiguration) -> AudioUnit.Type? {
    (try? component(named: unit.component.value))?.unitType
  }
}

extension Component {
  /// Whether a configuration may mean it by a short name or by codes.
  func isNamed(_ text: String) -> Bool {
    shortName == text || ComponentDescription(codes: text)?.matches(description) == true
  }
}
