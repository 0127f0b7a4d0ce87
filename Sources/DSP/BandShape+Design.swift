// From what is set of an equalizer's band to its shape.

extension BandShape {
  /// The highest frequency, as a part of the sample rate: a higher one is held here.
  static var highestFrequencyPerSampleRate: Double { @_noLocks @_noAllocation get { 0.49 } }

  /// The shape of a band; see `EqualizerBandKind` for what it follows.
  ///
  /// The bilinear transform would squeeze all that lies between a band and infinity below half the
  /// sample rate. Here high frequencies keep their gain, as by M. Vicanek, Matched Second
  /// Order Digital Filters (2016): the poles are those of the impulse response, z = exp(s · 2π ·
  /// frequency / rate), and the zeros are placed for the gain of the formula at 0, at the band (no
  /// higher than 0.3 · rate) and at 0.425 · rate. A high-pass has its zeros at 0, and the formula's
  /// gain at its frequency. A band-stop has its zeros at its frequency, and its poles give the
  /// formula's gain at its lower −3 dB point, and half way from its frequency to half the sample
  /// rate. A cut is the inverse of the same boost.
  ///
  /// - Parameters:
  ///   - hertz: above 0; held at `highestFrequencyPerSampleRate`.
  ///   - decibels: of the kinds that have a gain.
  ///   - octaves: above 0; of the kinds that have a bandwidth.
  /// - Complexity: O(1), about six functions of the C mathematics library.
  @_noLocks @_noAllocation
  static func band(
    _ kind: EqualizerBandKind, hertz: Double, decibels: Double, octaves: Double,
    sampleRate: Double
  ) -> BandShape {
    let place = min(hertz / sampleRate, highestFrequencyPerSampleRate)
    let edge = Vouched.powerOfTwo(octaves / 2)
    let d = kind.hasBandwidth ? edge - 1 / edge : 1.414_213_562_373_095_1
    switch kind {
    case .parametric: return parametric(place, d, decibels)
    case .lowPass, .resonantLowPass:
      return matched(
        poles(place, damping: d), Prototype((0, 0, 1), (1, d, 1)), place, near: place)
    case .highPass, .resonantHighPass: return highPass(place, d)
    case .bandPass:
      return matched(
        poles(place, damping: d), Prototype((0, d, 0), (1, d, 1)), place, near: place)
    case .bandStop: return bandStop(place, d, edge: edge)
    case .lowShelf, .resonantLowShelf:
      let shape = shelf(place, d, decibels: -abs(decibels))
      return (decibels > 0 ? shape : shape.inverted()).scaled(by: gain(decibels: decibels))
    case .highShelf, .resonantHighShelf:
      let shape = shelf(place, d, decibels: -abs(decibels))
      return decibels > 0 ? shape.inverted() : shape
    }
  }

  /// The linear gain of so many decibels.
  @_noLocks @_noAllocation
  static func gain(decibels: Double) -> Double {
    // log2(10) / 20
    Vouched.powerOfTwo(decibels * 0.166_096_404_744_368_12)
  }

  // MARK: Kinds

  @_noLocks @_noAllocation
  private static func parametric(
    _ place: Double, _ d: Double, _ decibels: Double
  ) -> BandShape {
    let a = gain(decibels: abs(decibels) / 2)
    let poles = poles(place, damping: d / a)
    if decibels == 0 { return neutral(poles) }
    let shape = matched(poles, Prototype((1, d * a, 1), (1, d / a, 1)), place, near: place)
    return decibels > 0 ? shape : shape.inverted()
  }

  @_noLocks @_noAllocation
  private static func highPass(_ place: Double, _ d: Double) -> BandShape {
    let (g, k) = poles(place, damping: d)
    let x = tangentSquared(place) / (g * g)
    return BandShape(
      g: g, k: k, c0: 0, c1: 0, c2: Vouched.squareRoot(Self.poles(x, k)) / (d * x))
  }

  @_noLocks @_noAllocation
  private static func bandStop(_ place: Double, _ d: Double, edge: Double) -> BandShape {
    // 1 + y₁ t + y₂ t² = (1 − t / t₀)² / |H|² at two points.
    let t0 = tangentSquared(place)
    let low = tangentSquared(place / edge)
    let middle = (place + 0.5) / 2
    let high = tangentSquared(middle)
    let ratio = middle / place - place / middle
    let inverse = 1 + d * d / (ratio * ratio)
    let atLow = ((1 - low / t0) * (1 - low / t0) * 2 - 1) / low
    let atHigh = ((1 - high / t0) * (1 - high / t0) * inverse - 1) / high
    let y2 = (atLow - atHigh) / (low - high)
    let y1 = atLow - y2 * low
    let square = 1 / Vouched.squareRoot(y2)
    return BandShape(
      g: Vouched.squareRoot(square), k: Vouched.squareRoot(max(y1 * square + 2, 1e-6)), c0: 1,
      c1: 0, c2: square / t0)
  }

  /// A high shelf that cuts.
  @_noLocks @_noAllocation
  private static func shelf(_ place: Double, _ d: Double, decibels: Double) -> BandShape {
    let a = gain(decibels: decibels / 2)
    let root = Vouched.squareRoot(a)
    let poles = poles(place * root, damping: d)
    if decibels == 0 { return neutral(poles) }
    var shape = matched(
      poles, Prototype((a * a, a * root * d, a), (1, root * d, a)), place, near: place / root)
    // A zero on the unit circle would be a pole of the inverse.
    shape.c1 = max(shape.c1, shape.k * Vouched.squareRoot(shape.c0 * shape.c2) / 2)
    return shape
  }

  @_noLocks @_noAllocation
  private static func neutral(_ poles: (g: Double, k: Double)) -> BandShape {
    BandShape(g: poles.g, k: poles.k, c0: 1, c1: poles.k, c2: 1)
  }

  // MARK: Poles and zeros

  /// H(s) by its coefficients, those of s² first.
  private struct Prototype {
    let zeros: (Double, Double, Double)
    let poles: (Double, Double, Double)

    @_noLocks @_noAllocation @inline(__always)
    init(_ zeros: (Double, Double, Double), _ poles: (Double, Double, Double)) {
      self.zeros = zeros
      self.poles = poles
    }

    /// |H(j √w)|².
    @_noLocks @_noAllocation
    func gainSquared(at w: Double) -> Double {
      let zero = zeros.2 - zeros.0 * w
      let pole = poles.2 - poles.0 * w
      return (zero * zero + zeros.1 * zeros.1 * w) / (pole * pole + poles.1 * poles.1 * w)
    }
  }

  /// tan² of π times a frequency in parts of the sample rate.
  @_noLocks @_noAllocation
  private static func tangentSquared(_ place: Double) -> Double {
    let tangent = Vouched.tangent(.pi * place)
    return tangent * tangent
  }

  @_noLocks @_noAllocation
  private static func squared(_ value: Double) -> Double { value * value }

  /// The poles of 1 / (s² + damping · s + 1) by z = exp(s · 2π · place).
  @_noLocks @_noAllocation
  private static func poles(_ place: Double, damping: Double) -> (g: Double, k: Double) {
    let angle = 2 * Double.pi * place
    let half = damping / 2
    let radius = Vouched.exponential(-half * angle)
    let cosine: Double
    if half < 1 {
      cosine = Vouched.cosine(angle * Vouched.squareRoot(1 - half * half))
    } else {
      let power = Vouched.exponential(angle * Vouched.squareRoot(half * half - 1))
      cosine = (power + 1 / power) / 2
    }
    // z² + a₁ z + a₂ at z = (1 + s) / (1 − s).
    let (a1, a2) = (-2 * radius * cosine, radius * radius)
    let (low, high) = (1 + a1 + a2, 1 - a1 + a2)
    return (Vouched.squareRoot(low / high), 2 * (1 - a2) / Vouched.squareRoot(low * high))
  }

  /// Places the zeros.
  ///
  /// - Parameters:
  ///   - place: the frequency of s = j, in parts of the sample rate.
  ///   - near: where the gain is wanted, besides at 0 and at 0.425.
  @_noLocks @_noAllocation
  private static func matched(
    _ poles: (g: Double, k: Double), _ wanted: Prototype, _ place: Double, near: Double
  ) -> BandShape {
    let (g, k) = poles
    let atZero = wanted.gainSquared(at: 0)
    let near = min(near, 0.3)
    let x1 = tangentSquared(near) / (g * g)
    // tan²(0.425 π)
    let x2 = 17.349_722_174_715_275 / (g * g)
    // |c₂ p² + c₁ p + c₀|² = c₀² + y₁ x + c₂² x²: two points give y₁ + c₂² x.
    let y1 = (wanted.gainSquared(at: squared(near / place)) * Self.poles(x1, k) - atZero) / x1
    let y2 = (wanted.gainSquared(at: squared(0.425 / place)) * Self.poles(x2, k) - atZero) / x2
    // No lower than 6 dB below the formula's gain at half the sample rate.
    let c2Squared = max(
      (y1 - y2) / (x1 - x2), wanted.gainSquared(at: squared(0.5 / place)) / 4)
    let c0 = Vouched.squareRoot(atZero)
    let c2 = Vouched.squareRoot(c2Squared)
    let c1Squared = y1 - c2Squared * x1 + 2 * c0 * c2
    return BandShape(g: g, k: k, c0: c0, c1: Vouched.squareRoot(max(c1Squared, 0)), c2: c2)
  }
}
