// What the low-pass does to a steady sine, for a view to draw.

/// The magnitude response of `ResonantLowPass` at one cutoff and resonance.
///
/// It is that of the digital filter itself, with the bilinear transform's warping: H(s) at
/// s = j · tan(π · f / rate) / tan(π · cutoff / rate).
///
/// - Thread: [any]
public struct ResonantLowPassResponse: Sendable {
  private let sampleRate: Double
  private let warpedCutoff: Double
  private let damping: Double

  /// The response at `cutoffHertz` (held below Nyquist as the filter holds it), with
  /// `resonanceDecibels` of gain at the cutoff, at `sampleRate` frames per second.
  @_noLocks @_noAllocation
  public init(cutoffHertz: Double, resonanceDecibels: Double, sampleRate: Double) {
    self.sampleRate = sampleRate
    warpedCutoff = ResonantLowPassCoefficients.warpedCutoff(
      hertz: cutoffHertz, sampleRate: sampleRate)
    damping = ResonantLowPassCoefficients.damping(resonanceDecibels: resonanceDecibels)
  }

  /// The linear gain at `frequency` in hertz, from 0 to half the sample rate.
  @_noLocks @_noAllocation
  public func magnitude(atHertz frequency: Double) -> Double {
    let s = Vouched.tangent(.pi * frequency / sampleRate) / warpedCutoff
    let real = 1 - s * s
    let imaginary = s * damping
    return 1 / Vouched.squareRoot(real * real + imaginary * imaginary)
  }

  /// Seconds in which the ringing after the input's end falls to 1/e: that of the slower pole of
  /// s² + s/Q + 1 at the cutoff.
  public var decaySeconds: Double {
    // The poles' common real part is half the damping; above 2 they are real and part.
    let slower =
      damping <= 2
      ? damping / 2 : (damping - Vouched.squareRoot(damping * damping - 4)) / 2
    return 1 / (slower * 2 * sampleRate * warpedCutoff)
  }
}
