// What a configuration says of one controller that moves a parameter, or of what loads something.

/// One `[[map]]`.
///
/// - Thread: [any]
public struct MappingConfiguration: Sendable, Equatable {
  /// What a hand moves.
  public enum Source: Sendable, Hashable {
    /// 0 to 119, 7 bits.
    case controller(Int)
    /// 0 to 31 with 32 to 63, 14 bits.
    case controllerPair(Int)
    /// 0 to 16383, by data entry.
    case nonRegistered(Int)
    /// That of a channel.
    case pressure
    case bend
    /// A key, 0 to 127, by its velocity.
    case note(Int)
    /// A program change, 0 to 127.
    case program(Int)
  }

  /// What is done.
  public enum Target: Sendable, Hashable {
    /// A parameter is moved: a unit's id and a key path, with slashes.
    case parameter(String)
    /// A scene is loaded.
    case scene(String)
    /// A preset of a unit is loaded.
    case preset(unit: String, name: String)
    /// All notes and tails end.
    case panic
  }

  /// What a message means.
  public enum Mode: String, Sendable, CaseIterable {
    /// A place in the range.
    case absolute
    /// A press goes from one end of the range to the other.
    case toggle
    /// Steps from where the parameter is: 1 to 63 up, 127 to 64 down.
    case relative
    /// Likewise: 65 to 127 up, 63 to 0 down.
    case relativeOffset = "relative-offset"
    /// Likewise: 1 to 63 up, 65 to 127 down.
    case relativeSign = "relative-sign"
  }

  /// What becomes of a control that is not where the parameter is.
  public enum Pickup: String, Sendable, CaseIterable {
    /// The parameter jumps to it.
    case jump
    /// It does nothing until it comes to where the parameter is.
    case pickup
    /// The parameter moves the same part of the way to its end as the control, until both meet.
    case scale
  }

  /// How the range is laid out along the way of the control.
  public enum Curve: String, Sendable, CaseIterable { case linear, exponential, logarithmic }

  /// The keys of which each mapping has one.
  package static let sourceKeys = [
    "controller", "controller14", "nrpn", "pressure", "bend", "note", "program",
  ]
  /// Those that say what is done, of which each mapping has one, too.
  package static let targetKeys = ["parameter", "scene", "preset", "panic"]
  /// How many there may be.
  public static let maximumCount = 1024
  public static let channels = 1...16
  public static let banks = 0...16_383
  public static let shapes = 0.1...10.0
  /// In milliseconds.
  public static let ramps = 0.0...10_000.0
  public static let defaultShape = 3.0

  public var target: Located<Target>
  public var source: Located<Source>
  /// 1 to 16; every channel without it.
  public var channel: Located<Int>?
  /// Of a program change, 128 times controller 0, plus controller 32; every bank without it.
  public var bank: Located<Int>?
  /// The values at the two ends of the control's way; the parameter's whole range without it.
  public var range: Range?
  public var curve = Curve.linear
  /// How far the curve is from a straight line.
  public var shape = Self.defaultShape
  public var mode = Mode.absolute
  public var pickup = Pickup.jump
  /// In milliseconds.
  public var ramp: Located<Double>?
  /// Whether the control is told where the parameter is.
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

  /// One that moves a parameter.
  public init(
    parameter: Located<String>, source: Located<Source>, at location: SourcePosition
  ) {
    self.init(
      target: Located(.parameter(parameter.value), at: parameter.location), source: source,
      at: location)
  }

  /// The unit that it names, nil for none.
  package var unit: String? {
    switch target.value {
    case .parameter(let path): String(path.prefix { $0 != "/" })
    case .preset(let unit, _): unit
    case .scene, .panic: nil
    }
  }
}

extension MappingConfiguration.Source {
  /// The key that says it, and its value.
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
  /// The key that says it, and its value.
  package var setting: (key: String, value: SettingValue) {
    switch self {
    case .parameter(let path): ("parameter", .string(path))
    case .scene(let name): ("scene", .string(name))
    case .preset(let unit, let name): ("preset", .string("\(unit)/\(name)"))
    case .panic: ("panic", .boolean(true))
    }
  }

  /// As commands name it: the path of a parameter, else `scene=Verse` and the like.
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
