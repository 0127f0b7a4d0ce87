// A named state of a unit.

/// A preset's number and name.
///
/// AUv3: `AUAudioUnitPreset`.
public struct Preset: Hashable, Sendable {
  /// The number: 0 and above for factory presets, below 0 for user presets.
  public var number: Int
  /// The display name; it identifies a user preset.
  public var name: String

  /// Makes a preset.
  ///
  /// - Thread: [any]
  public init(number: Int, name: String) {
    self.number = number
    self.name = name
  }

  /// Whether it is a user preset.
  ///
  /// - Thread: [any]
  public var isUserPreset: Bool { number < 0 }
}
