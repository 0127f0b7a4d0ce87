// The gain of the low-pass for a steady sine, for a view to draw.

import Realtime

/// The magnitude response of `ResonantLowPass` at one cutoff and resonance.
///
/// The response is that of the digital filter itself, with the bilinear transform's warping: H(s)
/// at s = j · tan(π · f / rate) / tan(π · cutoff / rate).
///
/// - Thread: [any]
public struct ResonantLowPassResponse: Sendable {
  private let sampleRate: Double
  private let warpedCutoff: Double
  private let damping: Double

  /// Creates the response at `cutoffHertz`, limited below Nyquist as in the filter, with
  /// `resonanceDecibels` of gain at the cutoff, at `sampleRate` frames per second.
  @_noLocks @_noAllocation
  public init(cutoffHertz: Double, resonanceDecibels: Double, sampleRate: Double) {
    self.sampleRate = sampleRate
    warpedCutoff = ResonantLowPassCoefficients.warpedCutoff(
      hertz: cutoffHertz, sampleRate: sampleRate)
    damping = ResonantLowPassCoefficients.damping(resonanceDecibels: resonanceDecibels)
  }

  /// Returns the linear gain at `frequency` in hertz, from 0 to half the sample rate.
  @_noLocks @_noAllocation
  public func magnitude(atHertz frequency: Double) -> Double {
    let s = RealtimeMath.tangent(.pi * frequency / sampleRate) / warpedCutoff
    let real = 1 - s * s
    let imaginary = s * damping
    return 1 / RealtimeMath.squareRoot(real * real + imaginary * imaginary)
  }

  /// Seconds in which the ringing after the input's end decays to 1/e: that of the slower of the
  /// digital filter's two poles. The bilinear transform moves these to z = (1 + s) / (1 − s). A
  /// pole far beyond half the sample rate maps near z = −1 and rings long, however fast it was.
  public var decaySeconds: Double {
    BandShape.decayFrames(g: warpedCutoff, k: damping) / sampleRate
  }
}
