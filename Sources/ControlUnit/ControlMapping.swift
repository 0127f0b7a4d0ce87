// One controller that moves one parameter.

public import Configuration
public import UnitModel

/// What moves a parameter, and how.
///
/// - Thread: [any]
public struct ControlMapping: Sendable {
  /// All that says which mapping it is.
  struct Settings: Sendable, Hashable {
    let source: MappingConfiguration.Source
    let channel: Int?
    let mode: MappingConfiguration.Mode
    let pickup: MappingConfiguration.Pickup
    let curve: MappingConfiguration.Curve
    let shape: Double
    let rampMilliseconds: Double
    /// At the two ends of the control's way.
    let first: Float
    let last: Float
    let parameter: Place
  }

  /// A parameter among those of all units.
  struct Place: Sendable, Hashable {
    let target: UInt32
    let address: ParameterAddress
  }

  let settings: Settings
  /// It has the memory of the parameter's value.
  let unit: AudioUnit
  let valueIndex: Int
  let isLogarithmic: Bool
  let isStepped: Bool
  let canRamp: Bool

  /// - Parameters:
  ///   - parameter: one of the unit's that is set by events.
  ///   - target: the unit's number, which the events have that move the parameter.
  ///   - first: the value at the beginning of the control's way, in the parameter's range; `last`
  ///     is that at its end, and another one.
  public init(
    _ configuration: MappingConfiguration, moving parameter: Parameter, of unit: AudioUnit,
    target: UInt32, from first: Float, to last: Float
  ) {
    settings = Settings(
      source: configuration.source.value, channel: configuration.channel?.value,
      mode: configuration.mode, pickup: configuration.pickup, curve: configuration.curve,
      shape: configuration.shape, rampMilliseconds: configuration.ramp?.value ?? 0, first: first,
      last: last, parameter: Place(target: target, address: parameter.address))
    self.unit = unit
    guard let index = unit.parameterValueIndex(ofAddress: parameter.address) else {
      preconditionFailure("the parameter is one of the unit's")
    }
    valueIndex = index
    isLogarithmic = parameter.flags.contains(.displayLogarithmic)
    isStepped = parameter.isWhole
    canRamp = parameter.flags.contains(.canRamp)
  }
}
