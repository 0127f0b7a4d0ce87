// Units with an input for each source.

/// A unit with open inputs. A connection that names no input gets an input of its own, the lowest
/// free one.
public protocol InputForEachSourceUnit: ConfigurableUnit {
  /// Returns the number of reserved inputs of a unit with these keys. They are the first inputs;
  /// only connections that name them use them.
  ///
  /// AUv3: none; `nextAvailableInputBus` of `AVAudioMixerNode`.
  /// - Thread: [any]
  static func reservedInputs(_ keys: UnitKeys) -> Int
}
