// Attack and release times, as shares of the remaining distance.

import Realtime

/// The smoothing of gains towards their targets.
enum DynamicsTime {
  /// Returns the share of the distance to cover in a frame, so that the rest decays to 1/e in the
  /// given time; 1 if that is 0.
  @_noLocks @_noAllocation
  static func part(milliseconds: Double, sampleRate: Double) -> Double {
    milliseconds > 0 ? 1 - RealtimeMath.exponential(-1000 / (milliseconds * sampleRate)) : 1
  }

  /// An extra step per frame towards the target, so that smoothing ends. The error is below 0.0001
  /// dB for any time.
  static var last: Double { @_noLocks @_noAllocation get { 1e-12 } }
}
