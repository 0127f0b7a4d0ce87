// Triggers of presses and program changes.

public import Configuration
public import UnitModel

/// Values and bypasses that take effect at once, and a task for the session.
///
/// - Thread: [any]
public struct ControlTrigger: Sendable {
  /// A parameter's value.
  public struct Value: Sendable {
    let target: UInt32
    let address: ParameterAddress
    let value: Float

    /// - Parameter target: the unit's number in events.
    public init(_ parameter: Parameter, target: UInt32, value: Float) {
      (self.target, self.value) = (target, value)
      address = parameter.address
    }
  }

  /// A change of a unit's bypass.
  public struct Bypass: Sendable {
    let target: UInt32
    let isOn: Bool

    /// - Parameter target: the unit's number in events.
    public init(target: UInt32, isOn: Bool) { (self.target, self.isOn) = (target, isOn) }
  }

  public let target: MappingConfiguration.Target
  /// The ids of units that its events cannot reach; the session sets their values and bypasses.
  public let others: Set<String>
  let values: [Value]
  let bypasses: [Bypass]
  let resets: [AudioUnit]

  /// - Parameters:
  ///   - values: values that take effect on the frame of the message, like `bypasses`.
  ///   - resets: units to reset in the next cycle.
  public init(
    _ target: MappingConfiguration.Target, values: [Value] = [],
    bypasses: [Bypass] = [], resets: [AudioUnit] = [],
    others: Set<String> = []
  ) {
    (self.target, self.others) = (target, others)
    (self.values, self.bypasses, self.resets) = (values, bypasses, resets)
  }
}

/// An executed trigger.
///
/// - Thread: [any]
public struct ControlAction: Sendable {
  public let trigger: ControlTrigger
  /// The frame on which its values took effect.
  public let frame: Int64
}
