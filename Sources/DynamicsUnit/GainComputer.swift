// What a compressor, a limiter and a gate have in common on the render side.

/// Makes gains of levels.
///
/// - Thread: [render]
protocol GainComputer: ~Copyable {
  /// Sets a parameter with the next frame, or starts to move it there.
  /// - Parameter index: its place in the unit's tree.
  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Double, rampFrames: UInt32)

  /// Sets how many frames levels come behind their samples.
  @_noLocks @_noAllocation
  mutating func setLate(_ frames: Int)

  /// What a reader of a parameter that ramps is to be told; nil at rest.
  @_noLocks @_noAllocation
  mutating func takeReading(ofParameter index: Int) -> Double?

  /// Makes gains of levels from 0 to 10⁶, in their place.
  @_noLocks @_noAllocation
  mutating func makeGains(of levels: UnsafeMutablePointer<Float>, count: Int)

  /// By how many decibels the last gain is lowered.
  @_noLocks @_noAllocation
  func reduction() -> Double

  /// Whether silence leaves it as it is, but for its ramps.
  @_noLocks @_noAllocation
  func rests() -> Bool

  /// Lets ramps go on for frames that are not processed.
  @_noLocks @_noAllocation
  mutating func pass(_ frameCount: Int)

  /// Forgets the levels.
  @_noLocks @_noAllocation
  mutating func forget()
}
