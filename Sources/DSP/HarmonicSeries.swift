// Waves without aliasing, as sums of their harmonics.

/// The wave of a tone.
public enum ToneWave: Sendable, BitwiseCopyable {
  case sine, triangle, saw, square

  /// The wave's index in the order of the cases, for comparison.
  var number: Int {
    @_noLocks @_noAllocation get {
      switch self {
      case .sine: 0
      case .triangle: 1
      case .saw: 2
      case .square: 3
      }
    }
  }
}

/// The sums of a wave's harmonics up to 24 kHz, or to half the sample rate if that is lower.
///
/// Clenshaw's recurrence adds them, eight frames together, so that a harmonic takes about a cycle
/// of the processor. The highest ones, from 84 % of the limit on, fade out towards it: a gliding
/// pitch adds or removes no harmonic with a step.
///
/// With θ the phase: sine sin θ; triangle 8/π² Σ (−1)ʲ sin((2j+1)θ) / (2j+1)²; saw
/// 2/π Σ (−1)ᵏ⁺¹ sin(kθ) / k, which rises through 0; square 4/π Σ sin((2j+1)θ) / (2j+1). Without
/// their highest harmonics saw and square overshoot their ±1 by up to 18 %.
struct HarmonicSeries: ~Copyable {
  /// The amplitude of each harmonic before it fades out.
  private let saw: UnsafeMutablePointer<Double>
  private let square: UnsafeMutablePointer<Double>
  private let triangle: UnsafeMutablePointer<Double>
  /// The limit, in turns per frame.
  private let limit: Double

  typealias Lanes = SIMD8<Double>

  /// The number of harmonics up to 24 kHz of a tone of 5.9 Hz.
  static var highestHarmonic: Int { @_noLocks @_noAllocation get { 4096 } }

  /// - Thread: [control]
  init(sampleRate: Double) {
    limit = min(24_000 / sampleRate, 0.5)
    saw = .allocate(capacity: Self.highestHarmonic + 1)
    square = .allocate(capacity: Self.highestHarmonic + 1)
    triangle = .allocate(capacity: Self.highestHarmonic + 1)
    for harmonic in 0...Self.highestHarmonic {
      let inverse = 1 / Double(max(harmonic, 1))
      (saw + harmonic).initialize(to: (harmonic & 1 == 1 ? 2 : -2) / .pi * inverse)
      (square + harmonic).initialize(to: 4 / .pi * inverse)
      // The signs of the odd harmonics alternate.
      let sign: Double = harmonic & 2 == 0 ? 8 : -8
      (triangle + harmonic).initialize(to: sign / (.pi * .pi) * inverse * inverse)
    }
  }

  deinit {
    saw.deallocate()
    square.deallocate()
    triangle.deallocate()
  }

  /// Returns eight frames of a wave.
  ///
  /// - Parameters:
  ///   - turns: the phases, −0.5 to 0.5 turns.
  ///   - frequency: the frequencies, in turns per frame, above 0.
  ///   - range: the lowest and the highest frequency.
  @_noLocks @_noAllocation
  func values(
    _ wave: ToneWave, turns: Lanes, frequency: Lanes, range: (lowest: Double, highest: Double)
  ) -> Lanes {
    let sine = Self.sine(turns)
    let cosine = Self.sine(turns + Lanes(repeating: 0.25))
    let count = min(Self.highestHarmonic, Int(saturating: limit / range.lowest))
    // Up to here no harmonic fades.
    let whole = Int(saturating: 0.839 * limit / range.highest)
    switch wave {
    case .sine: return weight(1, frequency) * sine
    case .saw: return all(saw, count, whole, frequency, cosine) * sine
    case .square: return odd(square, count, whole, frequency, cosine) * sine
    case .triangle: return odd(triangle, count, whole, frequency, cosine) * sine
    }
  }

  /// Returns Σ aₖ sin(kθ) / sin θ for the harmonics 1 to `count`.
  @_noLocks @_noAllocation @inline(__always)
  private func all(
    _ parts: UnsafeMutablePointer<Double>, _ count: Int, _ whole: Int, _ frequency: Lanes,
    _ cosine: Lanes
  ) -> Lanes {
    // sin((k+1)θ) = 2 cos θ sin(kθ) − sin((k−1)θ)
    let twice = cosine + cosine
    var (last, beforeLast) = (Lanes(repeating: 0), Lanes(repeating: 0))
    var harmonic = count
    while harmonic > 0 {
      var part = Lanes(repeating: parts[harmonic])
      if harmonic > whole { part *= weight(harmonic, frequency) }
      let next = twice * last + (part - beforeLast)
      beforeLast = last
      last = next
      harmonic &-= 1
    }
    return last
  }

  /// Returns Σ aₖ sin(kθ) / sin θ for the odd harmonics up to `count`.
  @_noLocks @_noAllocation @inline(__always)
  private func odd(
    _ parts: UnsafeMutablePointer<Double>, _ count: Int, _ whole: Int, _ frequency: Lanes,
    _ cosine: Lanes
  ) -> Lanes {
    // sin((k+2)θ) = 2 cos 2θ sin(kθ) − sin((k−2)θ)
    let twice = cosine * cosine * Lanes(repeating: 4) - Lanes(repeating: 2)
    var (last, beforeLast) = (Lanes(repeating: 0), Lanes(repeating: 0))
    var harmonic = (count &- 1) | 1
    if harmonic > count { harmonic &-= 2 }
    while harmonic > 1 {
      var part = Lanes(repeating: parts[harmonic])
      if harmonic > whole { part *= weight(harmonic, frequency) }
      let next = twice * last + (part - beforeLast)
      beforeLast = last
      last = next
      harmonic &-= 2
    }
    // sin 3θ = (2 cos 2θ + 1) sin θ
    let first = Lanes(repeating: parts[1]) * weight(1, frequency)
    return first + last * (twice + Lanes(repeating: 1)) - beforeLast
  }

  /// Returns the weight of a harmonic: 1 up to 84 % of the limit, falling to 0 at the limit.
  @_noLocks @_noAllocation @inline(__always)
  private func weight(_ harmonic: Int, _ frequency: Lanes) -> Lanes {
    var room = Lanes(repeating: limit) - Lanes(repeating: Double(harmonic)) * frequency
    room *= Lanes(repeating: 1 / (0.16 * limit))
    room.replace(with: Lanes(repeating: 0), where: room .< 0)
    room.replace(with: Lanes(repeating: 1), where: room .> 1)
    return room
  }

  /// Returns the sines of phases of −0.75 to 0.75 turns, to 14 digits.
  @_noLocks @_noAllocation @inline(__always)
  static func sine(_ turns: Lanes) -> Lanes {
    // Folded to −0.25 to 0.25 turns.
    var place = turns
    let half = Lanes(repeating: 0.5)
    place.replace(with: half - turns, where: turns .> 0.25)
    place.replace(with: -half - turns, where: turns .< -0.25)
    let x = place * (2 * Double.pi)
    let square = x * x
    // Taylor's series up to x¹⁹.
    var sum = Lanes(repeating: -8.220_635_246_624_33e-18)
    sum = sum * square + 2.811_457_254_345_520_6e-15
    sum = sum * square - 7.647_163_731_819_816e-13
    sum = sum * square + 1.605_904_383_682_161_3e-10
    sum = sum * square - 2.505_210_838_544_172e-8
    sum = sum * square + 2.755_731_922_398_589_3e-6
    sum = sum * square - 1.984_126_984_126_984e-4
    sum = sum * square + 8.333_333_333_333_333e-3
    sum = sum * square - 0.166_666_666_666_666_66
    return (sum * square + 1) * x
  }
}
