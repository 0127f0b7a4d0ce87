// Parameters and properties as a configuration writes them.

/// A key path and the value given to it.
///
/// - Thread: [any]
public struct Setting: Sendable, Equatable {
  /// Such as `midi.transpose.semitones`; nested tables and dotted keys give the same path.
  public let keyPath: Located<String>
  public let value: Located<SettingValue>

  public init(keyPath: Located<String>, value: Located<SettingValue>) {
    self.keyPath = keyPath
    self.value = value
  }
}

/// A value as TOML writes it.
///
/// - Thread: [any]
public enum SettingValue: Sendable, Hashable {
  /// A finite number; TOML's integers too.
  case number(Double)
  /// For parameters that switch.
  case boolean(Bool)
  /// For indexed parameters: the name of one of their values.
  case string(String)
}
