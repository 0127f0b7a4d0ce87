// Reading a delay line between its frames.

/// The weights of four neighbouring frames for a point between the middle two.
///
/// Lagrange's polynomial of third order: flat in amplitude, and at no frequency above 1, so that it
/// may stand in a feedback loop.
struct CubicInterpolation {
  private let weights: (Float, Float, Float, Float)

  /// - Parameter fraction: how far the point lies behind the second, newer frame of the middle two;
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

  /// Adds the weights, the newest frame's first.
  @_noLocks @_noAllocation @inline(__always)
  func add(times part: Float, to sums: UnsafeMutablePointer<Float>) {
    sums[0] += weights.0 * part
    sums[1] += weights.1 * part
    sums[2] += weights.2 * part
    sums[3] += weights.3 * part
  }

  /// The value at the point.
  ///
  /// - Parameters:
  ///   - line: a ring of `mask` + 1 frames, a power of two.
  ///   - place: where in it the second, newer frame of the middle two stands, before masking.
  @_noLocks @_noAllocation @inline(__always)
  func value(_ line: UnsafeMutablePointer<Float>, _ place: Int, _ mask: Int) -> Float {
    value(
      line[(place &+ 1) & mask], line[place & mask], line[(place &- 1) & mask],
      line[(place &- 2) & mask])
  }

  /// The value at the point, of the four frames around it, the newest first.
  @_noLocks @_noAllocation @inline(__always)
  func value(_ newest: Float, _ newer: Float, _ older: Float, _ oldest: Float) -> Float {
    newest * weights.0 + newer * weights.1 + older * weights.2 + oldest * weights.3
  }
}

/// What effects take in and keep.
enum EffectSample {
  /// The input an effect takes, held to 60 dB above full scale; NaN counts as silence.
  @_noLocks @_noAllocation @inline(__always)
  static func held(_ sample: Float) -> Float {
    if sample > 1000 { return 1000 }
    if sample < -1000 { return -1000 }
    return sample == sample ? sample : 0
  }

  /// Eight frames of it.
  @_noLocks @_noAllocation @inline(__always)
  static func held(_ samples: SIMD8<Float>) -> SIMD8<Float> {
    var held = samples
    held.replace(with: 0, where: held .!= held)
    held.replace(with: SIMD8(repeating: 1000), where: held .> 1000)
    held.replace(with: SIMD8(repeating: -1000), where: held .< -1000)
    return held
  }

  /// A value without what is too small to be heard: 160 dB below full scale is silence, so that
  /// what feeds back ends.
  @_noLocks @_noAllocation @inline(__always)
  static func flushed(_ value: Float) -> Float {
    value > 1e-8 || value < -1e-8 ? value : 0
  }

  /// The least power of two that is at least `count`.
  static func powerOfTwo(atLeast count: Int) -> Int {
    var power = 1
    while power < count { power *= 2 }
    return power
  }
}
