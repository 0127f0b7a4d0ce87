// Units with a frequency response.

/// A unit that filters. It tells its frequency response: for views, and for `auricle ctl response`.
///
/// AUv3: none.
public protocol FrequencyResponding: AudioUnit {
  /// Returns the linear gain at each of `frequencies` in hertz with the current settings, at the
  /// unit's sample rate and without its bypass.
  ///
  /// - Parameter frequencies: from 0 to half the sample rate.
  /// - Thread: [control]
  func magnitudes(atHertz frequencies: [Double]) -> [Double]

  /// Returns the linear gains of the unit's parts, such as the bands of an equalizer, one list a
  /// part. Default: no parts.
  ///
  /// - Thread: [control]
  func partMagnitudes(atHertz frequencies: [Double]) -> [[Double]]
}

extension FrequencyResponding {
  public func partMagnitudes(atHertz frequencies: [Double]) -> [[Double]] { [] }
}
