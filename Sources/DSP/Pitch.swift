// The frequencies of MIDI keys.

import Realtime

/// Equal temperament around A4, which is key 69.
public enum Pitch {
  /// Returns the frequency of a key in hertz: A4 · 2^((key − 69) / 12).
  ///
  /// - Parameters:
  ///   - key: a MIDI key, or a value between two.
  ///   - a4: the frequency of A4 in hertz, usually 440.
  /// - Thread: [any]
  @_noLocks @_noAllocation
  public static func frequency(ofKey key: Double, a4: Double = 440) -> Double {
    a4 * RealtimeMath.powerOfTwo((key - 69) / 12)
  }
}
