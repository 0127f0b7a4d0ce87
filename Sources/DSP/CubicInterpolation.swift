// The interpolation of a delay line between its frames.

/// The weights of four neighbouring frames for a point between the middle two.
///
/// The weights are those of Lagrange's third-order polynomial: flat in amplitude, and at no
/// frequency above 1. They can therefore be used in a feedback loop.
struct CubicInterpolation {
  private let weights: (Float, Float, Float, Float)

  /// - Parameter fraction: the distance from the newer of the middle two frames back to the point;
  ///   0 up to, not including, 1.
  @_noLocks @_noAllocation @inline(__always)
  init(fraction d: Float) {
    let (before, after) = (d + 1, d - 2)
    let inner = d * (d - 1)
    weights = (
      inner * after * (-1 / 6), before * (d - 1) * after * 0.5, before * d * after * -0.5,
      inner * before * (1 / 6)
    )
  }

  /// Adds the weights to sums, that of the newest frame first.
  @_noLocks @_noAllocation @inline(__always)
  func add(times part: Float, to sums: UnsafeMutablePointer<Float>) {
    sums[0] += weights.0 * part
    sums[1] += weights.1 * part
    sums[2] += weights.2 * part
    sums[3] += weights.3 * part
  }

  /// Returns the value at the point.
  ///
  /// - Parameters:
  ///   - line: a ring of `mask` + 1 frames, a power of two.
  ///   - place: the index in it of the newer of the middle two frames, before masking.
  @_noLocks @_noAllocation @inline(__always)
  func value(_ line: UnsafeMutablePointer<Float>, _ place: Int, _ mask: Int) -> Float {
    value(
      line[(place &+ 1) & mask], line[place & mask], line[(place &- 1) & mask],
      line[(place &- 2) & mask])
  }

  /// Returns the value at the point from the four frames around it, the newest first.
  @_noLocks @_noAllocation @inline(__always)
  func value(_ newest: Float, _ newer: Float, _ older: Float, _ oldest: Float) -> Float {
    newest * weights.0 + newer * weights.1 + older * weights.2 + oldest * weights.3
  }
}

/// Limits of the samples that effects take in and store.
enum EffectSample {
  /// Returns an effect's input, limited to 60 dB above full scale; NaN becomes silence.
  @_noLocks @_noAllocation @inline(__always)
  static func held(_ sample: Float) -> Float {
    if sample > 1000 { return 1000 }
    if sample < -1000 { return -1000 }
    return sample == sample ? sample : 0
  }

  /// Limits eight frames of input.
  @_noLocks @_noAllocation @inline(__always)
  static func held(_ samples: SIMD8<Float>) -> SIMD8<Float> {
    var held = samples
    held.replace(with: 0, where: held .!= held)
    held.replace(with: SIMD8(repeating: 1000), where: held .> 1000)
    held.replace(with: SIMD8(repeating: -1000), where: held .< -1000)
    return held
  }

  /// Returns a value, or 0 if it is inaudible. Values below −160 dB of full scale are silence, so
  /// that feedback ends.
  @_noLocks @_noAllocation @inline(__always)
  static func flushed(_ value: Float) -> Float {
    value > 1e-8 || value < -1e-8 ? value : 0
  }

  /// Returns the least power of two that is at least `count`.
  static func powerOfTwo(atLeast count: Int) -> Int {
    var power = 1
    while power < count { power *= 2 }
    return power
  }
}
