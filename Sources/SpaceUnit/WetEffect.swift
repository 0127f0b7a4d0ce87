// What a reverb and a chorus have in common on the render side.

/// Makes two channels of one, without the dry sound.
///
/// - Thread: [render]
protocol WetEffect: ~Copyable {
  /// Sets a parameter with the next frame, or starts to move it there.
  /// - Parameter index: its place in the unit's tree, below that of the mix.
  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Double, rampFrames: UInt32)

  /// What a reader of a parameter that ramps is to be told; nil at rest.
  @_noLocks @_noAllocation
  mutating func takeReading(ofParameter index: Int) -> Double?

  /// Makes two channels of one; the left may be written over what comes in.
  @_noLocks @_noAllocation
  mutating func make(
    of input: UnsafePointer<Float>, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, count: Int)

  /// Whether silence in gives silence out.
  @_noLocks @_noAllocation
  func rests() -> Bool

  /// Lets ramps go on for frames that are not processed.
  @_noLocks @_noAllocation
  mutating func pass(_ frameCount: Int)

  /// Forgets what sounds.
  @_noLocks @_noAllocation
  mutating func forget()
}
