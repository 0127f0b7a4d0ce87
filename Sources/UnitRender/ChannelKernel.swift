// The contract of an effect that is written for one channel.

/// The render side of one channel of an effect that treats all its channels alike.
///
/// It is written as if there were one channel: `ChannelKernels` runs one for each channel of the
/// unit's format, gives all of them the same events, and sees to silence, ranges and what
/// the control side reads. A kernel is a noncopyable struct without class references.
///
/// Counterpart of `AUKernelBase`, of which `AUEffectBase` makes one for each channel.
public protocol ChannelKernel: ~Copyable {
  /// Sets a parameter with the next frame, or starts to move it there.
  /// - Parameters:
  ///   - index: the parameter's place in the tree, which is its address.
  ///   - value: within the parameter's range.
  ///   - rampFrames: the ramp's length; 0 sets the value, without a click.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float, rampFrames: UInt32)

  /// What a reader of a parameter that ramps is to be told: the sounding value, also once after the
  /// ramp's end; nil at rest. `LinearRamp.takeReading` is made for it.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func takeReading(ofParameter index: Int) -> Float?

  /// Writes `frameCount` frames of output, which may be the input's own memory.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func process(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frameCount: Int)

  /// Whether silence in gives silence out, and leaves the kernel as it is but for its ramps.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func isAtRest() -> Bool

  /// Lets ramps go on for frames that are not processed: of silence while the kernel rests, or
  /// under a bypass.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func skip(_ frameCount: Int)

  /// Forgets what sounds. Parameters and their ramps go on.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func reset()
}

/// What a parameter of an effect's channels takes.
public struct ChannelParameter: Sendable, BitwiseCopyable {
  public let lowest: Float
  public let highest: Float
  /// Whether it moves along ramps; if not, it is set on a ramp's first frame.
  public let ramps: Bool

  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public init(_ range: ClosedRange<Float>, ramps: Bool) {
    lowest = range.lowerBound
    highest = range.upperBound
    self.ramps = ramps
  }

  /// A value held to the range; NaN to its low end.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public func held(_ value: Float) -> Float {
    value > lowest ? (value < highest ? value : highest) : lowest
  }
}
