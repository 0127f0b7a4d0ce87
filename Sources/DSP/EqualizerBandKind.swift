// The kinds of bands of an equalizer.

/// The kind of a band of an equalizer.
///
/// Each has the gain of a two-pole filter. With s = j · f / frequency, d = 2^(b/2) − 2^(−b/2) where
/// b is the bandwidth in octaves, d = √2 for kinds without one, and A = 10^(gain/40), it is:
///
/// | | H(s) |
/// |---|---|
/// | parametric | (s² + A d s + 1) / (s² + d s / A + 1) |
/// | low-pass | 1 / (s² + d s + 1) |
/// | high-pass | s² / (s² + d s + 1) |
/// | band-pass | d s / (s² + d s + 1) |
/// | band-stop | (s² + 1) / (s² + d s + 1) |
/// | low shelf | A (s² + √A d s + A) / (A s² + √A d s + 1) |
/// | high shelf | A (A s² + √A d s + 1) / (s² + √A d s + A) |
///
/// The bandwidth of band-pass and band-stop is that between the −3 dB points, that of a parametric
/// band between the points of half its decibels. The resonant kinds take the bandwidth of the
/// band-pass with the same poles.
///
/// AUv3: `AVAudioUnitEQFilterType`, in its order.
public enum EqualizerBandKind: Sendable, BitwiseCopyable, CaseIterable {
  case parametric, lowPass, highPass, resonantLowPass, resonantHighPass, bandPass, bandStop
  case lowShelf, highShelf, resonantLowShelf, resonantHighShelf

  /// Creates the kind with an index in the order of the cases; the last one for any other index.
  @_noLocks @_noAllocation
  public init(place: Int) {
    switch place {
    case 0: self = .parametric
    case 1: self = .lowPass
    case 2: self = .highPass
    case 3: self = .resonantLowPass
    case 4: self = .resonantHighPass
    case 5: self = .bandPass
    case 6: self = .bandStop
    case 7: self = .lowShelf
    case 8: self = .highShelf
    case 9: self = .resonantLowShelf
    default: self = .resonantHighShelf
    }
  }

  /// Whether the bandwidth can be set.
  var hasBandwidth: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .lowPass, .highPass, .lowShelf, .highShelf: false
      default: true
      }
    }
  }
}
