// What one controller does.

public import Configuration
public import UnitModel

/// What moves a parameter, and how; or what sets off a trigger.
///
/// - Thread: [any]
public struct ControlMapping: Sendable {
  /// All that says which mapping it is.
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
    /// At the two ends of the control's way.
    let first: Float
    let last: Float
    /// Nil for a trigger.
    let parameter: ParameterID?
    /// Nil for a parameter.
    let trigger: MappingConfiguration.Target?
  }

  /// A parameter among those of all units.
  struct ParameterID: Sendable, Hashable {
    let target: UInt32
    let address: ParameterAddress
  }

  /// What is known of a parameter.
  struct Motion: Sendable {
    /// It has the memory of the parameter's value.
    let unit: AudioUnit
    let valueIndex: Int
    let isLogarithmic: Bool
    let isStepped: Bool
    let canRamp: Bool
  }

  let settings: Settings
  /// Nil for a trigger.
  let motion: Motion?
  /// What is set off; nil for what moves a parameter.
  public let trigger: ControlTrigger?

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

  /// One whose program change, key or controller sets something off.
  public init(_ configuration: MappingConfiguration, settingOff trigger: ControlTrigger) {
    settings = Settings(configuration, first: 0, last: 0, parameter: nil)
    motion = nil
    self.trigger = trigger
  }

  /// What has to be there as long as the render side has the mapping.
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
