// Times of attack and release, as parts of a way.

/// How gains go from where they are to where they are wanted.
enum DynamicsTime {
  /// The part of the way that is gone in a frame, where what is left falls to 1/e in the time; all
  /// of it in no time.
  @_noLocks @_noAllocation
  static func part(milliseconds: Double, sampleRate: Double) -> Double {
    milliseconds > 0 ? 1 - Vouched.exponential(-1000 / (milliseconds * sampleRate)) : 1
  }

  /// What is taken off beside it, so that a way ends: less than 0.0001 dB with any time.
  static var last: Double { @_noLocks @_noAllocation get { 1e-12 } }
}
