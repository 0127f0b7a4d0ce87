// What may be done with a parameter.

/// The abilities of a parameter, with AudioToolbox's raw values.
///
/// AUv3: `AudioUnitParameterOptions`.
public struct ParameterFlags: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32

  /// - Thread: [any]
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Left out of presets, kept in documents.
  public static let omitFromPresets = ParameterFlags(rawValue: 1 << 13)
  /// A meter, which only the unit writes.
  public static let meterReadOnly = ParameterFlags(rawValue: 1 << 15)
  /// Moves over the logarithm of the value, as frequencies do: with a `controller` stage.
  public static let displayLogarithmic = ParameterFlags(rawValue: 1 << 22)
  /// Deserves finer steps than a 7-bit controller has.
  public static let highResolution = ParameterFlags(rawValue: 1 << 23)
  /// A change is made on the control side, and is not an event of the render thread.
  public static let nonRealTime = ParameterFlags(rawValue: 1 << 24)
  /// May be scheduled with a ramp.
  public static let canRamp = ParameterFlags(rawValue: 1 << 25)
  /// Its value may be read.
  public static let readable = ParameterFlags(rawValue: 1 << 30)
  /// Its value may be set from outside of the unit.
  public static let writable = ParameterFlags(rawValue: 1 << 31)
}
