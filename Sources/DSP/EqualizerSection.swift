// The rendering of one frame of a band: its two filters in series.

/// The states of the two filters of a `MatchedBand`.
struct EqualizerStates: BitwiseCopyable {
  var mainBand = 0.0
  var mainLow = 0.0
  var trimBand = 0.0
  var trimLow = 0.0

  @_noLocks @_noAllocation @inline(__always)
  init() {}
}

/// The coefficients of the two filters of a `MatchedBand`.
struct EqualizerSection: BitwiseCopyable {
  var main: EqualizerStep
  var trim: EqualizerStep

  /// Creates a section that passes its input unchanged.
  @_noLocks @_noAllocation
  init() {
    main = EqualizerStep()
    trim = EqualizerStep()
  }

  @_noLocks @_noAllocation @inline(__always)
  init(_ band: MatchedBand) {
    main = EqualizerStep(band.main)
    trim = EqualizerStep(band.trim)
  }

  @_noLocks @_noAllocation @inline(__always)
  func next(_ input: Double, _ states: inout EqualizerStates) -> Double {
    let sample = main.next(input, &states.mainBand, &states.mainLow)
    return trim.next(sample, &states.trimBand, &states.trimLow)
  }
}

extension EqualizerLanes {
  /// Bands of a group: each has two of the four lanes.
  static var bandCount: Int { @_noLocks @_noAllocation get { laneCount / 2 } }

  /// Sets the coefficients of a band.
  /// - Parameter band: 0 or 1.
  @_noLocks @_noAllocation
  func setSection(_ band: Int, _ section: EqualizerSection) {
    set(2 &* band, section.main)
    set(2 &* band &+ 1, section.trim)
  }

  @_noLocks @_noAllocation
  func section(_ band: Int) -> EqualizerSection {
    var section = EqualizerSection()
    section.main = step(2 &* band)
    section.trim = step(2 &* band &+ 1)
    return section
  }

  @_noLocks @_noAllocation
  func sectionStates(_ band: Int) -> EqualizerStates {
    var sectionStates = EqualizerStates()
    (sectionStates.mainBand, sectionStates.mainLow) = states(2 &* band)
    (sectionStates.trimBand, sectionStates.trimLow) = states(2 &* band &+ 1)
    return sectionStates
  }

  @_noLocks @_noAllocation
  func setSectionStates(_ band: Int, _ states: EqualizerStates) {
    setStates(2 &* band, band: states.mainBand, low: states.mainLow)
    setStates(2 &* band &+ 1, band: states.trimBand, low: states.trimLow)
  }
}
