// What a press or a program change sets off.

public import Configuration
public import UnitModel

/// Values and bypasses that take effect at once, and something that the session has to do.
///
/// - Thread: [any]
public struct ControlTrigger: Sendable {
  /// A parameter's value.
  public struct Value: Sendable {
    let target: UInt32
    let address: ParameterAddress
    let value: Float

    /// - Parameter target: the unit's number, which the events have that set the parameter.
    public init(_ parameter: Parameter, target: UInt32, value: Float) {
      (self.target, self.value) = (target, value)
      address = parameter.address
    }
  }

  /// A unit's bypass, which begins or ends.
  public struct Bypass: Sendable {
    let target: UInt32
    let isOn: Bool

    /// - Parameter target: the unit's number, as a value's.
    public init(target: UInt32, isOn: Bool) { (self.target, self.isOn) = (target, isOn) }
  }

  public let target: MappingConfiguration.Target
  /// The ids of units that it does not reach: these are for the session to do.
  public let others: Set<String>
  let values: [Value]
  let bypasses: [Bypass]
  let resets: [AudioUnit]

  /// - Parameters:
  ///   - values: take effect on the frame, as do `bypasses`.
  ///   - resets: units that are reset with the next cycle.
  public init(
    _ target: MappingConfiguration.Target, values: [Value] = [],
    bypasses: [Bypass] = [], resets: [AudioUnit] = [],
    others: Set<String> = []
  ) {
    (self.target, self.others) = (target, others)
    (self.values, self.bypasses, self.resets) = (values, bypasses, resets)
  }
}

/// A trigger that was set off.
///
/// - Thread: [any]
public struct ControlAction: Sendable {
  public let trigger: ControlTrigger
  /// The one on which its values have taken effect.
  public let frame: Int64
}
