// The design of an equalizer band's filter from its settings.

import Realtime

extension MatchedBand {
  /// The highest frequency, as a part of the sample rate; a higher one is limited to it.
  static var highestFrequencyPerSampleRate: Double { @_noLocks @_noAllocation get { 0.49 } }

  /// Returns the filter of a band with the gain of a formula in `EqualizerBandKind`.
  ///
  /// The bilinear transform would compress everything between a band and infinity to below half the
  /// sample rate. This design keeps the gain of high frequencies. The poles, and the zeros too, are
  /// at z = exp(s · 2π / rate), as by M. Vicanek, Matched Second Order Digital Filters (2016). The
  /// gain still missing from the formula's has neither of them, and is smooth. A second filter is
  /// fitted to it at 0, 0.3 and 0.449 of the rate, and near 0.406; see `BandFit`. A cut is the
  /// inverse of the same boost, and a low shelf a high one at another level.
  ///
  /// - Parameters:
  ///   - hertz: above 0; limited to `highestFrequencyPerSampleRate`.
  ///   - decibels: the gain, for kinds that have one.
  ///   - octaves: the bandwidth, above 0, for kinds that have one.
  /// - Complexity: O(1), about seven functions of the C mathematics library.
  @_noLocks @_noAllocation
  static func band(
    _ kind: EqualizerBandKind, hertz: Double, decibels: Double, octaves: Double,
    sampleRate: Double
  ) -> MatchedBand {
    let place = min(hertz / sampleRate, highestFrequencyPerSampleRate)
    let edge = RealtimeMath.powerOfTwo(octaves / 2)
    let d = kind.hasBandwidth ? edge - 1 / edge : 1.414_213_562_373_095_1
    switch kind {
    case .parametric:
      let band = matched(BandPrototype(kind, place, d, decibels: abs(decibels)))
      return decibels == 0 ? band.neutral() : decibels > 0 ? band : band.inverted()
    case .lowShelf, .resonantLowShelf:
      let band = matched(BandPrototype(kind, place, d, decibels: -abs(decibels)))
      if decibels == 0 { return band.neutral() }
      return (decibels > 0 ? band : band.inverted()).scaled(by: BandShape.gain(decibels: decibels))
    case .highShelf, .resonantHighShelf:
      let band = matched(BandPrototype(kind, place, d, decibels: -abs(decibels)))
      return decibels == 0 ? band.neutral() : decibels > 0 ? band.inverted() : band
    case .lowPass, .highPass, .resonantLowPass, .resonantHighPass, .bandPass, .bandStop:
      return matched(BandPrototype(kind, place, d, decibels: 0))
    }
  }

  /// Returns a filter with a gain of 1 at all frequencies, from which this band can move.
  @_noLocks @_noAllocation
  private func neutral() -> MatchedBand {
    MatchedBand(main: main.neutral(), trim: trim.neutral())
  }

  /// Returns a filter with the poles and zeros of both stages placed.
  @_noLocks @_noAllocation
  private static func matched(_ wanted: BandPrototype) -> MatchedBand {
    let poles = DigitalPair(wanted.poles)
    let zeros = wanted.digitalZeros()
    let squares = BandFit.FitFrequencies.squares
    let tangents = BandFit.FitFrequencies.tangents
    let missed = (
      wanted.missed(poles, zeros, squares.0, tangents.0),
      wanted.missed(poles, zeros, squares.1, tangents.1),
      wanted.missed(poles, zeros, squares.2, tangents.2)
    )
    let isWide = wanted.isShelf && !wanted.fit.reaches(missed)
    let trim = (isWide ? .wideShelf : wanted.fit).shape(missed)
    return MatchedBand(main: wanted.shape(poles, zeros), trim: trim)
  }
}
