// Mappings of a configuration.

import UnitModel

/// One `[[map]]`.
///
/// - Thread: [any]
public struct MappingConfiguration: Sendable, Equatable {
  /// The control that sends: a controller, channel pressure, pitch bend, a key or a program.
  public enum Source: Sendable, Hashable {
    /// 0 to 119, 7 bits.
    case controller(Int)
    /// 0 to 31 with 32 to 63, 14 bits.
    case controllerPair(Int)
    /// 0 to 16383, by data entry.
    case nonRegistered(Int)
    /// Channel pressure.
    case pressure
    case bend
    /// A key, 0 to 127, by its velocity.
    case note(Int)
    /// A program change, 0 to 127.
    case program(Int)
  }

  /// The mapped parameter, or the triggered action.
  public enum Target: Sendable, Hashable {
    /// Moves a parameter: a unit's id and a key path, with slashes.
    case parameter(String)
    /// Loads a scene.
    case scene(String)
    /// Loads a preset of a unit.
    case preset(unit: String, name: String)
    /// Ends all notes and tails.
    case panic
  }

  /// The meaning of a control's messages.
  public enum Mode: String, Sendable, CaseIterable {
    /// A position in the range.
    case absolute
    /// A press switches to the other end of the range.
    case toggle
    /// Steps from the parameter's value: 1 to 63 up, 127 to 64 down.
    case relative
    /// Steps: 65 to 127 up, 63 to 0 down.
    case relativeOffset = "relative-offset"
    /// Steps: 1 to 63 up, 65 to 127 down.
    case relativeSign = "relative-sign"
  }

  /// The behaviour of a control whose position differs from the parameter's value.
  public enum Pickup: String, Sendable, CaseIterable {
    /// The parameter jumps to the control's position.
    case jump
    /// The control has no effect until it reaches the parameter's value.
    case pickup
    /// The parameter covers the same share of its way to the end as the control, until both meet.
    case scale
  }

  /// The course of the values over the control's range.
  public enum Curve: String, Sendable, CaseIterable { case linear, exponential, logarithmic }

  /// The keys of a control; each mapping has one of them.
  package static let sourceKeys = [
    "controller", "controller14", "nrpn", "pressure", "bend", "note", "program",
  ]
  /// The keys of a target; each mapping has one of them.
  package static let targetKeys = ["parameter", "scene", "preset", "panic"]
  /// The maximum number of mappings.
  public static let maximumCount = 1024
  public static let channels = 1...16
  public static let banks = 0...16_383
  public static let shapes = 0.1...10.0
  /// Ramp times in milliseconds.
  public static let ramps = 0.0...10_000.0
  public static let defaultShape = 3.0

  public var target: Located<Target>
  public var source: Located<Source>
  /// The MIDI channel, 1 to 16; nil for every channel.
  public var channel: Located<Int>?
  /// The bank of a program change, 128 times controller 0, plus controller 32; nil for every bank.
  public var bank: Located<Int>?
  /// The values at the two ends of the control's range; nil for the parameter's whole range.
  public var range: Range?
  public var curve = Curve.linear
  /// The curvature, for a curve that is not linear.
  public var shape = Self.defaultShape
  public var mode = Mode.absolute
  public var pickup = Pickup.jump
  /// The ramp time in milliseconds; nil for no ramp.
  public var ramp: Located<Double>?
  /// Whether the control receives the parameter's value.
  public var feedback = true
  @Uncompared public var location: SourcePosition

  public struct Range: Sendable, Equatable {
    public var first: Located<SettingValue>
    public var last: Located<SettingValue>
  }

  public init(
    target: Located<Target>, source: Located<Source>, at location: SourcePosition
  ) {
    (self.target, self.source, self.location) = (target, source, location)
  }

  /// Creates a mapping to a parameter.
  public init(
    parameter: Located<String>, source: Located<Source>, at location: SourcePosition
  ) {
    self.init(
      target: Located(.parameter(parameter.value), at: parameter.location), source: source,
      at: location)
  }

  /// The unit that it names; nil if it names none.
  package var unit: String? {
    switch target.value {
    case .parameter(let path): String(path.prefix { $0 != "/" })
    case .preset(let unit, _): unit
    case .scene, .panic: nil
    }
  }
}

extension MappingConfiguration.Source {
  /// The key of this source, and its value.
  package var setting: (key: String, value: SettingValue) {
    switch self {
    case .controller(let number): ("controller", .number(Double(number)))
    case .controllerPair(let number): ("controller14", .number(Double(number)))
    case .nonRegistered(let number): ("nrpn", .number(Double(number)))
    case .pressure: ("pressure", .boolean(true))
    case .bend: ("bend", .boolean(true))
    case .note(let key): ("note", .string(NoteName.name(key)))
    case .program(let number): ("program", .number(Double(number)))
    }
  }
}

extension MappingConfiguration.Target {
  /// The key of this target, and its value.
  package var setting: (key: String, value: SettingValue) {
    switch self {
    case .parameter(let path): ("parameter", .string(path))
    case .scene(let name): ("scene", .string(name))
    case .preset(let unit, let name): ("preset", .string("\(unit)/\(name)"))
    case .panic: ("panic", .boolean(true))
    }
  }

  /// The target's name in commands: the path of a parameter, or for example `scene=Verse`.
  ///
  /// - Thread: [any]
  public var text: String {
    switch self {
    case .parameter(let path): path
    case .scene(let name): "scene=\(name)"
    case .preset(let unit, let name): "preset=\(unit)/\(name)"
    case .panic: "panic=true"
    }
  }
}
