// The one-pole low-pass: (1 − p) / (1 − p z⁻¹).

import Realtime

enum OnePole {
  /// Returns the pole p of the low-pass that is 3 dB down at a cut-off.
  ///
  /// p is the smaller root of p² − 2 (1 + y) p + 1 with y = 1 − cos ω. From half the sample rate
  /// on, where no frequency is 3 dB down, y grows with the square of the cut-off: the low-pass
  /// opens.
  ///
  /// - Parameter cutoffHertz: above 0.
  /// - Thread: [any]
  @_noLocks @_noAllocation
  static func pole(cutoffHertz: Double, sampleRate: Double) -> Double {
    let part = 2 * cutoffHertz / sampleRate
    let half = part < 1 ? RealtimeMath.sine(.pi / 2 * part) : part
    let y = 2 * half * half
    // Not 1 + y − √…, whose digits cancel if y is large.
    return 1 / (1 + y + RealtimeMath.squareRoot(y * (y + 2)))
  }
}
