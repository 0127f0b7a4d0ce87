// The muffling of a sound by an obstacle.

import Realtime

/// A gain and a one-pole low-pass, both determined by an obstacle's attenuation in decibels.
///
/// The gain lowers all frequencies by the attenuation. The low-pass's −3 dB point is at
/// 10 kHz / (2^(d/10) − 1) for an attenuation of d decibels, which is 10 kHz at 10 dB, 3.3 kHz at
/// 20 and 667 Hz at 40. Without an obstacle nothing is changed.
///
/// - Thread: [any]
public struct Muffling: Sendable, BitwiseCopyable {
  /// The linear gain.
  public let gain: Double
  /// The share of the distance to its input that the low-pass covers in each frame, 0 to 1.
  public let coefficient: Double

  /// - Parameter decibels: the gain, 0 or less.
  @_noLocks @_noAllocation
  public init(decibels: Double, sampleRate: Double) {
    if !(decibels < 0) {
      (gain, coefficient) = (1, 1)
      return
    }
    gain = Self.amplitude(decibels: decibels)
    let cutoff = 10_000 / (RealtimeMath.powerOfTwo(decibels * -0.1) - 1)
    coefficient = 1 - OnePole.pole(cutoffHertz: cutoff, sampleRate: sampleRate)
  }

  /// Returns the linear gain of decibels.
  @_noLocks @_noAllocation
  public static func amplitude(decibels: Double) -> Double {
    // 1 / (20 log₁₀ 2)
    RealtimeMath.powerOfTwo(decibels * 0.166_096_404_744_368_12)
  }

  /// Returns the seconds after which the ringing is 100 dB below full scale.
  public static func tailSeconds(decibels: Double) -> Double {
    if decibels >= 0 || decibels <= -100 { return 0 }
    let cutoff = 10_000 / (RealtimeMath.powerOfTwo(decibels * -0.1) - 1)
    return (100 + decibels) / 8.686 / (2 * .pi * cutoff)
  }
}
