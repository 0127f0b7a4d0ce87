// Mappings of controllers.

public import Configuration
public import UnitModel

/// A mapping from a control to a parameter, or to a trigger.
///
/// - Thread: [any]
public struct ControlMapping: Sendable {
  /// The properties that identify a mapping.
  struct Settings: Sendable, Hashable {
    let source: MappingConfiguration.Source
    let channel: Int?
    let bank: Int?
    let mode: MappingConfiguration.Mode
    let pickup: MappingConfiguration.Pickup
    let curve: MappingConfiguration.Curve
    let shape: Double
    let rampMilliseconds: Double
    let feedsBack: Bool
    /// The values at the two ends of the control's range.
    let first: Float
    let last: Float
    /// The parameter; nil for a trigger.
    let parameter: ParameterID?
    /// The target; nil for a parameter.
    let trigger: MappingConfiguration.Target?
  }

  /// The identity of a parameter among all units.
  struct ParameterID: Sendable, Hashable {
    let target: UInt32
    let address: ParameterAddress
  }

  /// Properties of the mapped parameter.
  struct Motion: Sendable {
    /// The unit, which owns the memory of the parameter's value.
    let unit: AudioUnit
    let valueIndex: Int
    let isLogarithmic: Bool
    let isStepped: Bool
    let canRamp: Bool
  }

  let settings: Settings
  /// The parameter's properties; nil for a trigger.
  let motion: Motion?
  /// The trigger; nil for a parameter.
  public let trigger: ControlTrigger?

  /// Creates a mapping from a control to a parameter.
  ///
  /// - Parameters:
  ///   - parameter: a parameter of the unit that events can set.
  ///   - target: the unit's number in events.
  ///   - first: the value at the start of the control's range, within the parameter's range.
  ///     `last`, the value at the end, must differ.
  public init(
    _ configuration: MappingConfiguration, moving parameter: Parameter, of unit: AudioUnit,
    target: UInt32, from first: Float, to last: Float
  ) {
    settings = Settings(
      configuration, first: first, last: last,
      parameter: ParameterID(target: target, address: parameter.address))
    guard let index = unit.parameterValueIndex(ofAddress: parameter.address) else {
      preconditionFailure("the parameter is one of the unit's")
    }
    motion = Motion(
      unit: unit, valueIndex: index,
      isLogarithmic: parameter.flags.contains(.displayLogarithmic), isStepped: parameter.isWhole,
      canRamp: parameter.flags.contains(.canRamp))
    trigger = nil
  }

  /// Creates a mapping from a program change, key or controller to a trigger.
  public init(_ configuration: MappingConfiguration, settingOff trigger: ControlTrigger) {
    settings = Settings(configuration, first: 0, last: 0, parameter: nil)
    motion = nil
    self.trigger = trigger
  }

  /// Units that must exist as long as the render side has the mapping.
  var units: [AudioUnit] {
    guard let trigger else { return [motion?.unit].compactMap { $0 } }
    return trigger.resets
  }
}

extension ControlMapping.Settings {
  fileprivate init(
    _ configuration: MappingConfiguration, first: Float, last: Float,
    parameter: ControlMapping.ParameterID?
  ) {
    self.init(
      source: configuration.source.value, channel: configuration.channel?.value,
      bank: configuration.bank?.value, mode: configuration.mode, pickup: configuration.pickup,
      curve: configuration.curve, shape: configuration.shape,
      rampMilliseconds: configuration.ramp?.value ?? 0, feedsBack: configuration.feedback,
      first: first, last: last,
      parameter: parameter, trigger: parameter == nil ? configuration.target.value : nil)
  }
}
