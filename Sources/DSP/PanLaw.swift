// Where a sound stands between left and right.

/// Gains by which a mono or a stereo sound is placed between two channels. The power of a mono
/// sound is the same at every place.
///
/// - Thread: [any]
public enum PanLaw {
  /// Those of a mono sound: cos θ and sin θ, with θ = (pan + 1) π/4. In the middle both are -3 dB.
  ///
  /// - Parameter pan: −1 (left) to 1 (right).
  @_noLocks @_noAllocation
  public static func mono(_ pan: Double) -> (left: Double, right: Double) {
    let angle = (pan + 1) * (.pi / 4)
    return (sine(.pi / 2 - angle), sine(angle))
  }

  /// Those of a channel of a stereo sound that is moved towards the other side, as the Web Audio
  /// API's `StereoPannerNode` has it: what of it stays on its own side, and what goes over. The
  /// channel of the side to which the sound is moved stays whole there.
  ///
  /// - Parameter amount: 0 (it stays) to 1 (all of it goes over).
  @_noLocks @_noAllocation
  public static func stereo(_ amount: Double) -> (stays: Double, goesOver: Double) {
    let angle = amount * (.pi / 2)
    return (sine(.pi / 2 - angle), sine(angle))
  }

  /// The sine of 0 to π/2 by its series up to x¹⁷, which is off by less than 1e-13; exact at both
  /// ends.
  @_noLocks @_noAllocation
  static func sine(_ angle: Double) -> Double {
    if angle >= .pi / 2 { return 1 }
    let square = angle * angle
    var sum = 1.0 / 355_687_428_096_000
    sum = sum * square - 1.0 / 1_307_674_368_000
    sum = sum * square + 1.0 / 6_227_020_800
    sum = sum * square - 1.0 / 39_916_800
    sum = sum * square + 1.0 / 362_880
    sum = sum * square - 1.0 / 5040
    sum = sum * square + 1.0 / 120
    sum = sum * square - 1.0 / 6
    return angle + angle * square * sum
  }
}
