// The fit of a two-pole filter to the gain missing between another filter and a formula.

import Realtime

/// The poles of `MatchedBand.trim`, two on the negative axis. The squared magnitude of their
/// denominator is
/// |(1 + √first · p) (1 + √second · p)|² = (1 + first · t) (1 + second · t)
/// at t = tan²(π f / rate).
///
/// The missing gain is smooth for any bandwidth, as it has neither the formula's poles nor its
/// zeros. `first` is therefore the same for all bands of a kind, for some kinds `second` too. The
/// others solve for the `second` that makes the fit exact at one more frequency. If that makes no
/// difference, it is pulled to its default. The numbers result from a search for the least error of
/// thousands of bands up to 20 kHz at 44.1, 48 and 96 kHz.
struct BandFit: BitwiseCopyable {
  let first: Double
  /// The default of the solution.
  let second: Double
  /// The strength of the pull to the default; nil if `second` is the only value.
  let pull: Double?
  let least: Double
  let most: Double

  @_noLocks @_noAllocation @inline(__always)
  init(_ first: Double, _ second: Double, pull: Double? = nil, _ least: Double, _ most: Double) {
    self.first = first
    self.second = second
    self.pull = pull
    self.least = least
    self.most = most
  }

  static var parametric: BandFit {
    @_noLocks @_noAllocation get { BandFit(0.774, 0.148, pull: 0.077, 0.01, 0.3) }
  }
  static var lowPass: BandFit { @_noLocks @_noAllocation get { BandFit(0.8, 0.17, 0, 1) } }
  static var highPass: BandFit { @_noLocks @_noAllocation get { BandFit(0.567, 0.0787, 0, 1) } }
  static var bandPass: BandFit { @_noLocks @_noAllocation get { BandFit(0.84, 0.107, 0, 1) } }
  static var bandStop: BandFit {
    @_noLocks @_noAllocation get { BandFit(0.292, 0.153, pull: 0.15, 0.01, 0.3) }
  }
  static var shelf: BandFit {
    @_noLocks @_noAllocation get { BandFit(0.76, 0.09, pull: 1e-3, 0.03, 0.3) }
  }
  /// The fit for shelves whose gains `shelf` does not reach.
  static var wideShelf: BandFit {
    @_noLocks @_noAllocation get { BandFit(0.3, 0.15, pull: 1e-3, 0.01, 1) }
  }

  /// The frequencies of the fit besides 0, in parts of the sample rate.
  struct FitFrequencies: BitwiseCopyable {
    // The squares of 0.3, 0.406 and 0.449, and tan² of π times each.
    static var squares: (Double, Double, Double) {
      @_noLocks @_noAllocation get { (0.09, 0.164_836, 0.201_601) }
    }
    static var tangents: (Double, Double, Double) {
      @_noLocks @_noAllocation get {
        (1.894_427_190_999_915_3, 10.806_089_643_082_39, 38.289_755_159_381_83)
      }
    }
  }

  /// Whether the second pole that fits gains is in the allowed range.
  /// - Parameter gains: squared gains at the fit frequencies; the gain at 0 is 1.
  @_noLocks @_noAllocation
  func reaches(_ gains: (Double, Double, Double)) -> Bool {
    let solution = solution(gains)
    return solution >= least && solution <= most
  }

  /// Returns the second pole for which gain · (1 + first · t) (1 + second · t) is a parabola in t:
  /// its third divided difference is 0.
  @_noLocks @_noAllocation
  private func solution(_ gains: (Double, Double, Double)) -> Double {
    guard let pull else { return second }
    let t = FitFrequencies.tangents
    let scale = 1 / gains.2
    // Each gain's share in the third divided difference, times t³ of the last frequency.
    let zero = -71.617_423_702_429_85 * scale
    let low = 91.361_975_929_903_6 * scale * gains.0 * (1 + first * t.0)
    let middle = -21.210_251_549_262_694 * scale * gains.1 * (1 + first * t.1)
    let high = 1.465_699_321_788_944_1 * (1 + first * t.2)
    let plain = zero + low + middle + high
    let slope = low * t.0 + middle * t.1 + high * t.2
    return (pull * second - plain * slope) / (slope * slope + pull)
  }

  /// Returns the two-pole filter with these gains at 0 and at the first and last frequency.
  @_noLocks @_noAllocation
  func shape(_ gains: (Double, Double, Double)) -> BandShape {
    let second = min(max(solution(gains), least), most)
    let t = FitFrequencies.tangents
    let low = (gains.0 * (1 + first * t.0) * (1 + second * t.0) - 1) / t.0
    let high = (gains.2 * (1 + first * t.2) * (1 + second * t.2) - 1) / t.2
    // 1 + n₁ t + n₂ t²; beyond the fit frequencies at most 20 dB below the poles' own gain.
    let n2 = max((high - low) / (t.2 - t.0), first * second / 100)
    let n1 = low - n2 * t.0
    let c2 = RealtimeMath.squareRoot(n2)
    let (one, other) = (RealtimeMath.squareRoot(first), RealtimeMath.squareRoot(second))
    let g = 1 / RealtimeMath.squareRoot(one * other)
    return BandShape(
      g: g, k: (one + other) * g, c0: 1, c1: RealtimeMath.squareRoot(max(n1 + 2 * c2, c2)) * g,
      c2: c2 * g * g)
  }
}
