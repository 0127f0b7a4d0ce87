// Two poles or zeros of a digital filter.

import Realtime

/// The polynomial 1 + linear · p + square · p² at p = (1 − z⁻¹) / (1 + z⁻¹), which is
/// j · tan(π f / rate).
struct DigitalPair: BitwiseCopyable {
  let linear: Double
  let square: Double

  @_noLocks @_noAllocation @inline(__always)
  init(linear: Double, square: Double) {
    self.linear = linear
    self.square = square
  }

  /// Returns the squared magnitude at t = tan²(π f / rate).
  @_noLocks @_noAllocation @inline(__always)
  func squared(atTangentSquared t: Double) -> Double {
    let real = 1 - square * t
    return real * real + linear * linear * t
  }

  /// Creates the pair at z = exp(s · 2π) for a formula's pair at s.
  @_noLocks @_noAllocation
  init(_ pair: RootPair) {
    let angle = 2 * Double.pi * pair.place
    let half = pair.damping / 2
    if half < 1 {
      let radius = RealtimeMath.exponential(-half * angle)
      let cosine = RealtimeMath.cosine(angle * RealtimeMath.squareRoot(1 - half * half))
      let (sum, product) = (2 * radius * cosine, radius * radius)
      let low = 1 - sum + product
      self.init(linear: 2 * (1 - product) / low, square: (1 + sum + product) / low)
    } else {
      let fast = half + RealtimeMath.squareRoot(half * half - 1)
      let near = RealtimeMath.exponential(-angle / fast)
      let far = RealtimeMath.exponential(-angle * fast)
      let low = (1 - near) * (1 - far)
      self.init(
        linear: 2 * (1 - near * far) / low, square: (1 + near) * (1 + far) / low)
    }
  }

  /// Returns the zeros of a shelf. These may be beyond half the sample rate, where z = exp(s · 2π)
  /// would alias.
  @_noLocks @_noAllocation
  static func zeros(_ pair: RootPair) -> DigitalPair {
    let half = pair.damping / 2
    let rest = RealtimeMath.squareRoot(abs(1 - half * half))
    let isFar =
      half < 1
      ? pair.place * rest > 0.48 || pair.place > 0.7 : pair.place > 0.7 * (half + rest)
    return isFar ? DigitalPair(beyond: pair) : DigitalPair(pair)
  }

  /// Creates the zeros with the formula's gain at 0, at 0.33 and at 0.449 of the rate, next to two
  /// poles at p = −√2, which are near those of any trim.
  @_noLocks @_noAllocation
  private init(beyond pair: RootPair) {
    // tan² of π times the frequencies.
    let (lowTangent, highTangent) = (2.859_168_700_392_363, 38.289_755_159_381_83)
    let low = Self.slope(pair, 0.1089, lowTangent)
    let high = Self.slope(pair, 0.201_601, highTangent)
    let second = max((high - low) / (highTangent - lowTangent), 1e-6)
    let square = RealtimeMath.squareRoot(second)
    let first = max(low - second * lowTangent, -1.9 * square)
    self.init(linear: RealtimeMath.squareRoot(first + 2 * square), square: square)
  }

  /// Returns the rise of |zeros|² · |poles|² from that at 0, divided by t.
  @_noLocks @_noAllocation
  private static func slope(_ pair: RootPair, _ square: Double, _ t: Double) -> Double {
    let poles = 1 + t / 2
    return (pair.squared(atFrequencySquared: square) * poles * poles - 1) / t
  }
}
