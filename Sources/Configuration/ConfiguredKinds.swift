// The kinds of units with keys of their own.

public import UnitModel

extension ComponentRegistry {
  /// The components whose units have keys of their own in configurations.
  ///
  /// - Thread: [control]
  public var configurableUnits: [Component] {
    components.filter { $0.unitType is any ConfigurableUnit.Type }
  }

  /// Returns the class of a unit by its component.
  ///
  /// - Returns: the class; nil for an unknown component, and for one without a `unitType`.
  /// - Thread: [control]
  public func unitType(of unit: UnitConfiguration) -> AudioUnit.Type? {
    (try? component(named: unit.component.value))?.unitType
  }
}

extension Component {
  /// Whether a text is its short name, or codes that match it.
  package func isNamed(_ text: String) -> Bool {
    shortName == text || ComponentDescription(codes: text)?.matches(description) == true
  }
}
