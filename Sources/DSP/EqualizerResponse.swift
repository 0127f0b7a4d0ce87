// What the equalizer does to a steady sine, for a view to draw.

/// The magnitude response of `Equalizer` as it is set.
///
/// - Thread: [any]
public struct EqualizerResponse: Sendable {
  private let shapes: [BandShape]
  private let factor: Double
  private let sampleRate: Double

  /// - Parameters:
  ///   - bands: bypassed ones do nothing.
  ///   - sampleRate: frames per second.
  public init(bands: [Equalizer.Band], gainDecibels: Double = 0, sampleRate: Double) {
    shapes = bands.filter { !$0.isBypassed }.map { BandShape($0, sampleRate: sampleRate) }
    factor = BandShape.gain(decibels: gainDecibels)
    self.sampleRate = sampleRate
  }

  /// The linear gain at `frequency` in hertz, from 0 to half the sample rate.
  /// - Complexity: O(bands)
  public func magnitude(atHertz frequency: Double) -> Double {
    let tangent = Vouched.tangent(.pi * frequency / sampleRate)
    let square = shapes.reduce(1) {
      $0 * $1.gainSquared(atTangentSquared: tangent * tangent)
    }
    return factor * square.squareRoot()
  }
}

extension Equalizer.Band {
  /// The band as a biquad, H(z) = (b₀ + b₁ z⁻¹ + b₂ z⁻²) / (1 + a₁ z⁻¹ + a₂ z⁻²), for programs that
  /// take one.
  /// - Thread: [any]
  public func biquad(
    sampleRate: Double
  ) -> (b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
    let shape = BandShape(self, sampleRate: sampleRate)
    // p = (1 − z⁻¹) / (1 + z⁻¹) / g.
    let (g, square) = (shape.g, shape.g * shape.g)
    let scale = 1 / (1 + shape.k * g + square)
    let (low, middle) = (shape.c0 * square, shape.c1 * g)
    return (
      b0: (shape.c2 + middle + low) * scale, b1: 2 * (low - shape.c2) * scale,
      b2: (shape.c2 - middle + low) * scale, a1: 2 * (square - 1) * scale,
      a2: (1 - shape.k * g + square) * scale
    )
  }
}
