// A band of an equalizer as two two-pole filters in series.

/// A band's filter. `main` has the poles and the zeros of its formula, and `trim` corrects high
/// frequencies for the limit at half the sample rate.
struct MatchedBand: Sendable, BitwiseCopyable {
  var main: BandShape
  var trim: BandShape

  @_noLocks @_noAllocation @inline(__always)
  init(main: BandShape, trim: BandShape) {
    self.main = main
    self.trim = trim
  }

  /// Returns the squared gain at t = tan²(π f / rate).
  @_noLocks @_noAllocation
  func gainSquared(atTangentSquared t: Double) -> Double {
    main.gainSquared(atTangentSquared: t) * trim.gainSquared(atTangentSquared: t)
  }

  /// Returns the filter that is the share `part` of the way to another one.
  @_noLocks @_noAllocation @inline(__always)
  func moved(to other: MatchedBand, by part: Double) -> MatchedBand {
    MatchedBand(
      main: main.moved(to: other.main, by: part), trim: trim.moved(to: other.trim, by: part))
  }

  /// Returns the same filter at another level.
  @_noLocks @_noAllocation
  func scaled(by gain: Double) -> MatchedBand {
    MatchedBand(main: main.scaled(by: gain), trim: trim)
  }

  /// Returns 1 / H, for a filter whose zeros ring no longer than poles may.
  @_noLocks @_noAllocation
  func inverted() -> MatchedBand {
    MatchedBand(main: main.inverted(), trim: trim.inverted())
  }

  /// Whether the output is the input.
  var isNeutral: Bool { @_noLocks @_noAllocation get { main.isNeutral && trim.isNeutral } }

  /// Frames in which the ringing decays to 1/e, added up for both filters.
  var decayFrames: Double {
    @_noLocks @_noAllocation get { main.decayFrames + trim.decayFrames }
  }
}
