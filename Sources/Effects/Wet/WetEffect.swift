// The render side shared by a reverb and a chorus.

/// An effect that makes two channels from one, without the dry signal.
///
/// - Thread: [render]
protocol WetEffect: ~Copyable {
  /// Sets a parameter on the next frame, or starts a ramp to the value.
  /// - Parameter index: the parameter's index in the unit's tree, below that of the mix.
  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Double, rampFrames: UInt32)

  /// Returns the current value of a ramping parameter, for publishing; nil at rest.
  @_noLocks @_noAllocation
  mutating func takeReading(ofParameter index: Int) -> Double?

  /// Makes two channels from one; `left` may be the input's memory.
  @_noLocks @_noAllocation
  mutating func make(
    of input: UnsafePointer<Float>, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, count: Int)

  /// Whether silent input gives silent output.
  @_noLocks @_noAllocation
  func rests() -> Bool

  /// Advances ramps over frames that are not processed.
  @_noLocks @_noAllocation
  mutating func pass(_ frameCount: Int)

  /// Clears the audio state.
  @_noLocks @_noAllocation
  mutating func forget()
}
