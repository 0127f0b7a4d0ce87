// The filter's three coefficients from cutoff and resonance.

import Realtime

/// The coefficients of `ResonantLowPass` at one cutoff and resonance.
///
/// With g = tan(π · cutoff / sample rate) and k = 1/Q, the trapezoidal (topology-preserving)
/// integration of H(s) = 1/(s² + s/Q + 1) is, with the two integrators' states `band` and `low`:
///
///     e     = input - low
///     band' = retain · band + feed · e
///     low'  = low + feed · band + pass · e
///     output = (low + low') / 2
///
/// Without a ramp, drive = feed · band is stored instead of `band`. This saves a multiplication
/// between a frame's states and the next one's:
///
///     drive' = feed² · input - feed² · low + retain · drive
///     low'   = pass · input + drive + (1 - pass) · low
struct ResonantLowPassCoefficients {
  var retain: Double
  var feed: Double
  var pass: Double

  /// - Parameters:
  ///   - warpedCutoff: g, a result of `warpedCutoff(hertz:sampleRate:)`, at least 0.
  ///   - damping: k = 1/Q, above 0.
  @_noLocks @_noAllocation @inline(__always)
  init(warpedCutoff g: Double, damping k: Double) {
    let a = 1 / (1 + g * (g + k))
    retain = 2 * a - 1
    feed = 2 * g * a
    pass = g * feed
  }

  /// Returns the pre-warped cutoff g = tan(π · cutoff / sample rate) of the cutoff, limited to its
  /// range.
  @_noLocks @_noAllocation
  static func warpedCutoff(hertz: Double, sampleRate: Double) -> Double {
    let highest = sampleRate * ResonantLowPass.highestCutoffPerSampleRate
    // Written so that NaN becomes 0: the filter then stands still but stays finite.
    let held = hertz > 0 ? min(hertz, highest) : 0
    return RealtimeMath.tangent(.pi * held / sampleRate)
  }

  /// Returns the damping k = 1/Q = 10^(-resonance/20).
  @_noLocks @_noAllocation
  static func damping(resonanceDecibels: Double) -> Double {
    // log2(10) / 20
    RealtimeMath.powerOfTwo(resonanceDecibels * -0.166_096_404_744_368_12)
  }
}
