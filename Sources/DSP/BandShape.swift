// A two-pole filter, and its gain.

import Realtime

/// H(p) = (c₂ p² + c₁ p + c₀) / (p² + k p + 1) at p = j · tan(π f / rate) / g: any filter of two
/// poles and two zeros.
///
/// These are the coefficients of a state-variable filter. It is stable for all g and k above 0,
/// also while they change. A filter therefore moves between two shapes by linear interpolation of
/// the coefficients.
struct BandShape: Sendable, BitwiseCopyable {
  var g: Double
  var k: Double
  var c0: Double
  var c1: Double
  var c2: Double

  @_noLocks @_noAllocation @inline(__always)
  init(g: Double, k: Double, c0: Double, c1: Double, c2: Double) {
    self.g = g
    self.k = k
    self.c0 = c0
    self.c1 = c1
    self.c2 = c2
  }

  /// Returns the squared gain at t = tan²(π f / rate).
  @_noLocks @_noAllocation
  func gainSquared(atTangentSquared t: Double) -> Double {
    let x = t / (g * g)
    let real = c0 - c2 * x
    return (real * real + c1 * c1 * x) / Self.poles(x, k)
  }

  /// Returns the square of |p² + k p + 1| at p = j √x.
  @_noLocks @_noAllocation @inline(__always)
  static func poles(_ x: Double, _ k: Double) -> Double { (1 - x) * (1 - x) + k * k * x }

  /// Returns the shape that is the share `part` of the way to another one.
  @_noLocks @_noAllocation @inline(__always)
  func moved(to other: BandShape, by part: Double) -> BandShape {
    BandShape(
      g: g + (other.g - g) * part, k: k + (other.k - k) * part, c0: c0 + (other.c0 - c0) * part,
      c1: c1 + (other.c1 - c1) * part, c2: c2 + (other.c2 - c2) * part)
  }

  /// Returns the same shape at another level.
  @_noLocks @_noAllocation
  func scaled(by gain: Double) -> BandShape {
    BandShape(g: g, k: k, c0: c0 * gain, c1: c1 * gain, c2: c2 * gain)
  }

  /// Returns 1 / H, for a shape whose zeros ring no longer than poles may.
  @_noLocks @_noAllocation
  func inverted() -> BandShape {
    let root = RealtimeMath.squareRoot(c0 * c2)
    return BandShape(
      g: g * RealtimeMath.squareRoot(c0 / c2), k: max(c1 / root, 1e-3), c0: 1 / c0, c1: k / root,
      c2: 1 / c2)
  }

  /// Returns a shape with the same poles and a gain of 1 at all frequencies.
  @_noLocks @_noAllocation
  func neutral() -> BandShape { BandShape(g: g, k: k, c0: 1, c1: k, c2: 1) }

  /// Whether the output is the input.
  var isNeutral: Bool {
    @_noLocks @_noAllocation get { c0 == 1 && c2 == 1 && c1 == k }
  }

  /// Returns the linear gain of a gain in decibels.
  @_noLocks @_noAllocation
  static func gain(decibels: Double) -> Double {
    // log2(10) / 20
    RealtimeMath.powerOfTwo(decibels * 0.166_096_404_744_368_12)
  }

  /// Frames in which the slower pole's ringing decays to 1/e.
  var decayFrames: Double {
    @_noLocks @_noAllocation get { Self.decayFrames(g: g, k: k) }
  }

  /// Returns the frames in which the slower pole's ringing decays to 1/e. A pole far beyond half
  /// the sample rate maps near z = −1 and rings long, however fast it was.
  @_noLocks @_noAllocation
  static func decayFrames(g: Double, k: Double) -> Double {
    let (width, square) = (k * g, g * g)
    let radius: Double
    if k <= 2 {
      radius = RealtimeMath.squareRoot((1 - width + square) / (1 + width + square))
    } else {
      let root = RealtimeMath.squareRoot(k * k - 4)
      let slow = g * (k - root) / 2
      let fast = g * (k + root) / 2
      radius = max(abs(1 - slow) / (1 + slow), abs(1 - fast) / (1 + fast))
    }
    return -1 / RealtimeMath.naturalLogarithm(radius)
  }
}
