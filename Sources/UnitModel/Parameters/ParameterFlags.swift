// Abilities of a parameter.

/// The abilities of a parameter, with AudioToolbox's raw values.
///
/// AUv3: `AudioUnitParameterOptions`.
public struct ParameterFlags: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32

  /// - Thread: [any]
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Left out of presets, kept in documents.
  public static let omitFromPresets = ParameterFlags(rawValue: 1 << 13)
  /// A meter, written only by the unit.
  public static let meterReadOnly = ParameterFlags(rawValue: 1 << 15)
  /// Logarithmic scale, as for frequencies; used by `controller` stages.
  public static let displayLogarithmic = ParameterFlags(rawValue: 1 << 22)
  /// Finer steps than those of a 7-bit controller are useful.
  public static let highResolution = ParameterFlags(rawValue: 1 << 23)
  /// Changes are made on the control side, and are not events of the render thread.
  public static let nonRealTime = ParameterFlags(rawValue: 1 << 24)
  /// Can be scheduled with a ramp.
  public static let canRamp = ParameterFlags(rawValue: 1 << 25)
  /// Read, set and ramped, as most parameters of effects.
  public static let ramping: ParameterFlags = [.readable, .writable, .canRamp]
  /// Readable.
  public static let readable = ParameterFlags(rawValue: 1 << 30)
  /// Can be set from outside the unit.
  public static let writable = ParameterFlags(rawValue: 1 << 31)
}
