// A band of an equalizer as two filters of two poles that follow each other.

/// A band's filter: `main` has the poles and the zeros of its formula, and `trim` makes up for what
/// half the sample rate does to high frequencies.
struct MatchedBand: Sendable, BitwiseCopyable {
  var main: BandShape
  var trim: BandShape

  @_noLocks @_noAllocation @inline(__always)
  init(main: BandShape, trim: BandShape) {
    self.main = main
    self.trim = trim
  }

  /// The square of the gain at t = tan²(π f / rate).
  @_noLocks @_noAllocation
  func gainSquared(atTangentSquared t: Double) -> Double {
    main.gainSquared(atTangentSquared: t) * trim.gainSquared(atTangentSquared: t)
  }

  /// One between this one and another.
  @_noLocks @_noAllocation @inline(__always)
  func moved(to other: MatchedBand, by part: Double) -> MatchedBand {
    MatchedBand(
      main: main.moved(to: other.main, by: part), trim: trim.moved(to: other.trim, by: part))
  }

  /// The same at another level.
  @_noLocks @_noAllocation
  func scaled(by gain: Double) -> MatchedBand {
    MatchedBand(main: main.scaled(by: gain), trim: trim)
  }

  /// 1 / H, of a filter whose zeros ring no longer than poles may.
  @_noLocks @_noAllocation
  func inverted() -> MatchedBand {
    MatchedBand(main: main.inverted(), trim: trim.inverted())
  }

  /// Whether the output is the input.
  var isNeutral: Bool { @_noLocks @_noAllocation get { main.isNeutral && trim.isNeutral } }

  /// Frames in which the ringing falls to 1/e, that of both added up.
  var decayFrames: Double {
    @_noLocks @_noAllocation get { main.decayFrames + trim.decayFrames }
  }
}
