// From what is set of an equalizer's band to its filter.

extension MatchedBand {
  /// The highest frequency, as a part of the sample rate: a higher one is held here.
  static var highestFrequencyPerSampleRate: Double { @_noLocks @_noAllocation get { 0.49 } }

  /// The filter of a band; see `EqualizerBandKind` for what it follows.
  ///
  /// The bilinear transform would squeeze all that lies between a band and infinity below half the
  /// sample rate. Here high frequencies keep their gain. The poles, and the zeros too, are at
  /// z = exp(s · 2π / rate), as by M. Vicanek, Matched Second Order Digital Filters (2016). What is
  /// still missed of the formula's gain has neither of them, and is smooth: a second filter is
  /// fitted to it at 0, 0.3 and 0.449 of the rate, and near 0.406; see `BandFit`. A cut is the
  /// inverse of the same boost, and a low shelf a high one at another level.
  ///
  /// - Parameters:
  ///   - hertz: above 0; held at `highestFrequencyPerSampleRate`.
  ///   - decibels: of the kinds that have a gain.
  ///   - octaves: above 0; of the kinds that have a bandwidth.
  /// - Complexity: O(1), about seven functions of the C mathematics library.
  @_noLocks @_noAllocation
  static func band(
    _ kind: EqualizerBandKind, hertz: Double, decibels: Double, octaves: Double,
    sampleRate: Double
  ) -> MatchedBand {
    let place = min(hertz / sampleRate, highestFrequencyPerSampleRate)
    let edge = Vouched.powerOfTwo(octaves / 2)
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

  /// One that lets everything through, and from which it can move.
  @_noLocks @_noAllocation
  private func neutral() -> MatchedBand {
    MatchedBand(main: main.neutral(), trim: trim.neutral())
  }

  /// Places both filters' poles and zeros.
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
