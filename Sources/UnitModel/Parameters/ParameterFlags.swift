// What may be done with a parameter, and how a view should draw it.

/// The abilities of a parameter and hints for its display, with AudioToolbox's raw values.
///
/// AUv3: `AudioUnitParameterOptions`.
public struct ParameterFlags: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32

  /// - Thread: [any]
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Left out of presets, kept in documents.
  public static let omitFromPresets = ParameterFlags(rawValue: 1 << 13)
  /// Worth drawing over time.
  public static let plotHistory = ParameterFlags(rawValue: 1 << 14)
  /// A meter, which only the unit writes.
  public static let meterReadOnly = ParameterFlags(rawValue: 1 << 15)
  /// Drawn over the square root of the value.
  public static let displaySquareRoot = ParameterFlags(rawValue: 1 << 16)
  /// Drawn over the square of the value.
  public static let displaySquared = ParameterFlags(rawValue: 2 << 16)
  /// Drawn over the cube of the value.
  public static let displayCubed = ParameterFlags(rawValue: 3 << 16)
  /// Drawn over the cube root of the value.
  public static let displayCubeRoot = ParameterFlags(rawValue: 4 << 16)
  /// Drawn over the exponential of the value.
  public static let displayExponential = ParameterFlags(rawValue: 5 << 16)
  /// Set by `Parameter` when it has value strings.
  public static let valuesHaveStrings = ParameterFlags(rawValue: 1 << 21)
  /// Drawn over the logarithm of the value, as frequencies are.
  public static let displayLogarithmic = ParameterFlags(rawValue: 1 << 22)
  /// Deserves finer steps than a 7-bit controller has.
  public static let highResolution = ParameterFlags(rawValue: 1 << 23)
  /// A change is made on the control side, and is not an event of the render thread.
  public static let nonRealTime = ParameterFlags(rawValue: 1 << 24)
  /// May be scheduled with a ramp.
  public static let canRamp = ParameterFlags(rawValue: 1 << 25)
  /// For experts: simple views leave it out.
  public static let expertMode = ParameterFlags(rawValue: 1 << 26)
  /// A change may change any other parameter of the unit.
  public static let globalMeta = ParameterFlags(rawValue: 1 << 28)
  /// A change may change other parameters of its group.
  public static let elementMeta = ParameterFlags(rawValue: 1 << 29)
  /// Its value may be read.
  public static let readable = ParameterFlags(rawValue: 1 << 30)
  /// Its value may be set from outside of the unit.
  public static let writable = ParameterFlags(rawValue: 1 << 31)

  /// The bits that choose the curve of a display. Its values exclude each other.
  static let displayMask = ParameterFlags(rawValue: 7 << 16 | 1 << 22)

  /// The curve of a display alone: empty (linear) or exactly one of the `display…` values.
  ///
  /// - Thread: [any]
  public var display: ParameterFlags { intersection(Self.displayMask) }
}
