// The gain of the equalizer for a steady sine, for a view to draw.

import Realtime

/// The magnitude response of an `Equalizer` with constant settings.
///
/// - Thread: [any]
public struct EqualizerResponse: Sendable {
  private let shapes: [MatchedBand]
  private let factor: Double
  private let sampleRate: Double

  /// - Parameters:
  ///   - bands: the bands; bypassed ones are ignored.
  ///   - sampleRate: frames per second.
  public init(bands: [Equalizer.Band], gainDecibels: Double = 0, sampleRate: Double) {
    shapes = bands.filter { !$0.isBypassed }.map { MatchedBand($0, sampleRate: sampleRate) }
    factor = BandShape.gain(decibels: gainDecibels)
    self.sampleRate = sampleRate
  }

  /// Returns the linear gain at `frequency` in hertz, from 0 to half the sample rate.
  /// - Complexity: O(bands)
  public func magnitude(atHertz frequency: Double) -> Double {
    let tangent = RealtimeMath.tangent(.pi * frequency / sampleRate)
    let square = shapes.reduce(1) {
      $0 * $1.gainSquared(atTangentSquared: tangent * tangent)
    }
    return factor * square.squareRoot()
  }
}

extension Equalizer.Band {
  /// A filter H(z) = (b₀ + b₁ z⁻¹ + b₂ z⁻²) / (1 + a₁ z⁻¹ + a₂ z⁻²).
  public typealias Biquad = (b0: Double, b1: Double, b2: Double, a1: Double, a2: Double)

  /// Returns the band as two biquads in series, for programs that take biquads.
  /// - Thread: [any]
  public func biquads(sampleRate: Double) -> (main: Biquad, trim: Biquad) {
    let band = MatchedBand(self, sampleRate: sampleRate)
    return (band.main.biquad, band.trim.biquad)
  }
}

extension BandShape {
  var biquad: Equalizer.Band.Biquad {
    // p = (1 − z⁻¹) / (1 + z⁻¹) / g.
    let square = g * g
    let scale = 1 / (1 + k * g + square)
    let (low, middle) = (c0 * square, c1 * g)
    return (
      b0: (c2 + middle + low) * scale, b1: 2 * (low - c2) * scale,
      b2: (c2 - middle + low) * scale, a1: 2 * (square - 1) * scale,
      a2: (1 - k * g + square) * scale
    )
  }
}
