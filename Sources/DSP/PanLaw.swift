// The position of a sound between left and right.

/// Gains that place a mono or a stereo sound between two channels. The power of a mono sound is the
/// same at every position.
///
/// - Thread: [any]
public enum PanLaw {
  /// Returns the gains of a mono sound: cos θ and sin θ, with θ = (pan + 1) π/4. In the middle both
  /// are -3 dB.
  ///
  /// - Parameter pan: −1 (left) to 1 (right).
  @_noLocks @_noAllocation
  public static func mono(_ pan: Double) -> (left: Double, right: Double) {
    let angle = (pan + 1) * (.pi / 4)
    return (sine(.pi / 2 - angle), sine(angle))
  }

  /// Returns the gains of a stereo channel that moves towards the other side: its share on its own
  /// side, and its share on the other. The other side's channel stays whole there, as in the Web
  /// Audio API's `StereoPannerNode`.
  ///
  /// - Parameter amount: 0 (all of it stays) to 1 (all of it goes over).
  @_noLocks @_noAllocation
  public static func stereo(_ amount: Double) -> (stays: Double, goesOver: Double) {
    let angle = amount * (.pi / 2)
    return (sine(.pi / 2 - angle), sine(angle))
  }

  /// Returns the sine of 0 to π/2 by its series up to x¹⁷, with an error below 1e-13; exact at both
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
