// From MIDI keys to frequencies.

/// Equal temperament about A4, which is key 69.
public enum Pitch {
  /// The frequency of a key in hertz: A4 · 2^((key − 69) / 12).
  ///
  /// - Parameters:
  ///   - key: a MIDI key, or a place between two.
  ///   - a4: the frequency of A4 in hertz, 440 as usual.
  /// - Thread: [any]
  @_noLocks @_noAllocation
  public static func frequency(ofKey key: Double, a4: Double = 440) -> Double {
    a4 * Vouched.powerOfTwo((key - 69) / 12)
  }
}
