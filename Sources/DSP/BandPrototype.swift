// The formulas of an equalizer's bands, as poles and zeros.

import Realtime

/// Two poles or two zeros: s² / place² + damping · s / place + 1 at s = j · frequency. Place and
/// frequency are in parts of the sample rate.
struct RootPair: BitwiseCopyable {
  let place: Double
  let damping: Double

  @_noLocks @_noAllocation @inline(__always)
  init(_ place: Double, damping: Double) {
    self.place = place
    self.damping = damping
  }

  /// Returns the squared magnitude.
  @_noLocks @_noAllocation @inline(__always)
  func squared(atFrequencySquared square: Double) -> Double {
    BandShape.poles(square / (place * place), damping)
  }
}

/// H(s) of `EqualizerBandKind`: `zeros` / `poles`, times the `order`-th power of s / place of the
/// poles, times `factor`.
struct BandPrototype: BitwiseCopyable {
  let poles: RootPair
  /// The zeros; nil if all are at 0 or at infinity.
  let zeros: RootPair?
  /// Number of zeros at 0.
  let order: Int
  let factor: Double
  let fit: BandFit
  let isShelf: Bool

  /// - Parameters:
  ///   - place: the band's frequency in parts of the sample rate.
  ///   - d: as in `EqualizerBandKind`.
  ///   - decibels: the gain; 0 or above for a parametric band, 0 or below for a high shelf.
  @_noLocks @_noAllocation
  init(_ kind: EqualizerBandKind, _ place: Double, _ d: Double, decibels: Double) {
    let one = RootPair(place, damping: d)
    switch kind {
    case .parametric:
      let a = BandShape.gain(decibels: decibels / 2)
      self.init(
        RootPair(place, damping: d / a), zeros: RootPair(place, damping: d * a), .parametric)
    case .lowPass, .resonantLowPass: self.init(one, .lowPass)
    case .highPass, .resonantHighPass: self.init(one, order: 2, .highPass)
    case .bandPass: self.init(one, order: 1, factor: d, .bandPass)
    case .bandStop: self.init(one, zeros: RootPair(place, damping: 0), .bandStop)
    case .lowShelf, .resonantLowShelf, .highShelf, .resonantHighShelf:
      let root = BandShape.gain(decibels: decibels / 4)
      self.init(
        RootPair(place * root, damping: d), zeros: RootPair(place / root, damping: d), .shelf,
        isShelf: true)
    }
  }

  @_noLocks @_noAllocation
  private init(
    _ poles: RootPair, zeros: RootPair? = nil, order: Int = 0, factor: Double = 1, _ fit: BandFit,
    isShelf: Bool = false
  ) {
    self.poles = poles
    self.zeros = zeros
    self.order = order
    self.factor = factor
    self.fit = fit
    self.isShelf = isShelf
  }

  // MARK: Digital

  /// Returns the zeros that are not at 0. Zeros at infinity are placed for the least error.
  @_noLocks @_noAllocation
  func digitalZeros() -> DigitalPair {
    if let zeros { return isShelf ? .zeros(zeros) : DigitalPair(zeros) }
    switch order {
    // √0.82, and √0.983.
    case 0: return DigitalPair(linear: 2 * 0.905_538_513_813_741_7, square: 0.82)
    case 1: return DigitalPair(linear: 0.991_463_564_635_635_8, square: 0)
    default: return DigitalPair(linear: 0, square: 0)
    }
  }

  /// Returns the squared ratio of the formula's gain to that of these poles and zeros at a
  /// frequency, relative to the ratio at 0.
  ///
  /// - Parameters:
  ///   - square: the squared frequency in parts of the sample rate.
  ///   - t: tan²(π f / rate).
  @_noLocks @_noAllocation
  func missed(
    _ digitalPoles: DigitalPair, _ digitalZeros: DigitalPair, _ square: Double, _ t: Double
  ) -> Double {
    var gain = digitalPoles.squared(atTangentSquared: t) / digitalZeros.squared(atTangentSquared: t)
    gain *= zeros?.squared(atFrequencySquared: square) ?? 1
    gain /= poles.squared(atFrequencySquared: square)
    let bend = .pi * .pi * square / t
    return order == 0 ? gain : order == 1 ? gain * bend : gain * bend * bend
  }

  /// Returns the filter with these poles and zeros, and with the formula's gain near 0.
  @_noLocks @_noAllocation
  func shape(_ digitalPoles: DigitalPair, _ digitalZeros: DigitalPair) -> BandShape {
    let g = 1 / RealtimeMath.squareRoot(digitalPoles.square)
    let k = digitalPoles.linear * g
    let (linear, square) = (digitalZeros.linear * g, digitalZeros.square * g * g)
    let level = g / (.pi * poles.place)
    switch order {
    case 0: return BandShape(g: g, k: k, c0: 1, c1: linear, c2: square)
    case 1: return BandShape(g: g, k: k, c0: 0, c1: factor * level, c2: factor * level * linear)
    default: return BandShape(g: g, k: k, c0: 0, c1: 0, c2: level * level)
    }
  }
}
