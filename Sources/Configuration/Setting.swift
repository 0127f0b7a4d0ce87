// Parameters and properties in a configuration.

/// A key path and the value given to it.
///
/// - Thread: [any]
public struct Setting: Sendable, Equatable {
  /// A path such as `midi.transpose.semitones`, from nested tables or dotted keys.
  public let keyPath: Located<String>
  public let value: Located<SettingValue>

  public init(keyPath: Located<String>, value: Located<SettingValue>) {
    self.keyPath = keyPath
    self.value = value
  }
}

/// A value in TOML's types.
///
/// - Thread: [any]
public enum SettingValue: Sendable, Hashable {
  /// A finite number, also an integer of TOML.
  case number(Double)
  /// A switch, for Boolean parameters.
  case boolean(Bool)
  /// The name of a value, for indexed parameters.
  case string(String)
}
