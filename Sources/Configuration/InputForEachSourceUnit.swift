// What a unit does that has an input for each source.

/// A unit with open inputs, of which a connection that names none gets one of its own: the lowest
/// that no other connection has.
public protocol InputForEachSourceUnit: ConfigurableUnit {
  /// How many inputs come first that only connections get which name them, for a unit with these
  /// keys.
  ///
  /// AUv3: none; `nextAvailableInputBus` of `AVAudioMixerNode`.
  /// - Thread: [any]
  static func reservedInputs(_ keys: UnitKeys) -> Int
}
