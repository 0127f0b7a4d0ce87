// The gains that place a mono sound between two loudspeakers.

import Realtime

/// Two algorithms that place a sound in stereo by gains only.
///
/// - Thread: [any]
public enum SpatialPanning {
  /// Returns the gains of equal power. With φ the angle between the position and the plane between
  /// the ears, from −90° (left) to 90°, left is cos θ and right sin θ, θ = (φ + 90°) / 2. That is
  /// `PanLaw.mono` of φ / 90°.
  @_noLocks @_noAllocation
  public static func equalPower(_ direction: SpatialVector) -> (left: Double, right: Double) {
    // cos²θ = (1 + cos 2θ) / 2, and cos 2θ = −sin φ.
    (
      RealtimeMath.squareRoot((1 - direction.x) * 0.5),
      RealtimeMath.squareRoot((1 + direction.x) * 0.5)
    )
  }

  /// Returns the gains of first-order ambisonics, decoded by two virtual cardioids at ±45°: sounds
  /// from behind are quieter. A sound in front is as loud as by equal power.
  @_noLocks @_noAllocation
  public static func soundField(_ direction: SpatialVector) -> (left: Double, right: Double) {
    // The field's W, X (front) and Y (left) of a source, √2 W + X cos 45° ± Y sin 45°, halved; then
    // scaled by 1 / (√2 · (1 + cos 45°) / 2).
    let half = 0.707_106_781_186_547_5
    let scale = 0.414_213_562_373_095_05
    let front = 1 - half * direction.z
    return ((front - half * direction.x) * scale, (front + half * direction.x) * scale)
  }
}
