// How a filter of two poles is fitted to what another one misses of a formula.

/// Where the poles of `MatchedBand.trim` are: its gain is that of two poles on the negative axis,
/// |(1 + √first · p) (1 + √second · p)|² = (1 + first · t) (1 + second · t)
/// at t = tan²(π f / rate).
///
/// What is missed is smooth, however narrow the band, as it has neither the formula's poles nor its
/// zeros. So `first` is the same for all bands of a kind, and so is `second` of some. Others solve
/// for the `second` with which the fit is exact at one more frequency, and are pulled to a usual
/// one where that makes no difference. The numbers have been searched for the least error of
/// thousands of bands up to 20 kHz at 44.1, 48 and 96 kHz.
struct BandFit: BitwiseCopyable {
  let first: Double
  /// The usual one.
  let second: Double
  /// How strongly it pulls; none where it is the only one.
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
  /// For shelves to which the other does not lead.
  static var wideShelf: BandFit {
    @_noLocks @_noAllocation get { BandFit(0.3, 0.15, pull: 1e-3, 0.01, 1) }
  }

  /// Where the gain is wanted besides at 0: at these frequencies in parts of the sample rate.
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

  /// Whether the second pole that fits gains is one that may be.
  /// - Parameter gains: squares at the places; it is 1 at 0.
  @_noLocks @_noAllocation
  func reaches(_ gains: (Double, Double, Double)) -> Bool {
    let solution = solution(gains)
    return solution >= least && solution <= most
  }

  /// The second pole with which gain · (1 + first · t) (1 + second · t) is a parabola in t: its
  /// third divided difference is 0.
  @_noLocks @_noAllocation
  private func solution(_ gains: (Double, Double, Double)) -> Double {
    guard let pull else { return second }
    let t = FitFrequencies.tangents
    let scale = 1 / gains.2
    // Each gain's share in the third divided difference, times t³ of the last place.
    let zero = -71.617_423_702_429_85 * scale
    let low = 91.361_975_929_903_6 * scale * gains.0 * (1 + first * t.0)
    let middle = -21.210_251_549_262_694 * scale * gains.1 * (1 + first * t.1)
    let high = 1.465_699_321_788_944_1 * (1 + first * t.2)
    let plain = zero + low + middle + high
    let slope = low * t.0 + middle * t.1 + high * t.2
    return (pull * second - plain * slope) / (slope * slope + pull)
  }

  /// The filter of two poles that has these gains at 0, and at the first and the last place.
  @_noLocks @_noAllocation
  func shape(_ gains: (Double, Double, Double)) -> BandShape {
    let second = min(max(solution(gains), least), most)
    let t = FitFrequencies.tangents
    let low = (gains.0 * (1 + first * t.0) * (1 + second * t.0) - 1) / t.0
    let high = (gains.2 * (1 + first * t.2) * (1 + second * t.2) - 1) / t.2
    // 1 + n₁ t + n₂ t²; beyond the places no lower than 20 dB below the poles alone.
    let n2 = max((high - low) / (t.2 - t.0), first * second / 100)
    let n1 = low - n2 * t.0
    let c2 = Vouched.squareRoot(n2)
    let (one, other) = (Vouched.squareRoot(first), Vouched.squareRoot(second))
    let g = 1 / Vouched.squareRoot(one * other)
    return BandShape(
      g: g, k: (one + other) * g, c0: 1, c1: Vouched.squareRoot(max(n1 + 2 * c2, c2)) * g,
      c2: c2 * g * g)
  }
}
