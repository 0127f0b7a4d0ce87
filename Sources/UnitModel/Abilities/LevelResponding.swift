// Units with a transfer curve.

/// A unit whose gain depends on the level, as that of a compressor. It tells its transfer curve:
/// for views, and for `auricle ctl response`.
///
/// AUv3: none.
public protocol LevelResponding: AudioUnit {
  /// Returns the output level in decibels of each of the steady input levels, with the current
  /// settings and without the bypass.
  ///
  /// - Parameter levels: in decibels, −200 to 100.
  /// - Thread: [control]
  func outputDecibels(atInputDecibels levels: [Double]) -> [Double]
}
