// A named state of a unit, and the values of one that comes with it.

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

/// A factory preset, as a unit declares it.
public struct FactoryPreset: Sendable {
  public let name: String
  /// The values by key path. Other parameters keep theirs.
  public let values: [String: Float]

  /// - Thread: [any]
  public init(_ name: String, _ values: [String: Float]) {
    self.name = name
    self.values = values
  }
}
