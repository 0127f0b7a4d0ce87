// Units that lower the gain by the level.

/// A unit that lowers the gain by the level of its input, as a compressor, limiter or gate, and
/// reports by how much. Meters show it.
///
/// AUv3: none.
public protocol GainReducing: AudioUnit {
  /// The decibels by which the gain is lowered now, from 0 up.
  ///
  /// - Thread: [any]
  var reduction: Float { get }
}
