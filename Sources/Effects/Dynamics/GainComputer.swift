// The render side shared by a compressor, a limiter and a gate.

/// A gain computer, which turns levels into gains.
///
/// - Thread: [render]
protocol GainComputer: ~Copyable {
  /// Sets a parameter on the next frame, or starts a ramp to the value.
  /// - Parameter index: the parameter's index in the unit's tree.
  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Double, rampFrames: UInt32)

  /// Sets the delay of levels after their samples, in frames.
  @_noLocks @_noAllocation
  mutating func setLate(_ frames: Int)

  /// Returns the current value of a ramping parameter, for publishing; nil at rest.
  @_noLocks @_noAllocation
  mutating func takeReading(ofParameter index: Int) -> Double?

  /// Replaces levels from 0 to 10⁶ by gains.
  @_noLocks @_noAllocation
  mutating func makeGains(of levels: UnsafeMutablePointer<Float>, count: Int)

  /// Returns the decibels by which the last gain is lowered.
  @_noLocks @_noAllocation
  func reduction() -> Double

  /// Whether silence changes nothing but the ramps.
  @_noLocks @_noAllocation
  func rests() -> Bool

  /// Advances ramps over frames that are not processed.
  @_noLocks @_noAllocation
  mutating func pass(_ frameCount: Int)

  /// Clears the levels.
  @_noLocks @_noAllocation
  mutating func forget()
}
