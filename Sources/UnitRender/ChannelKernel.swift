// The protocol of an effect that is written for one channel.

public import Realtime

/// The render side of one channel of an effect that treats all its channels alike.
///
/// A kernel handles one channel. `ChannelKernels` runs one for each channel of the unit's format
/// and sends all of them the same events. It handles silence, ranges and the values that the
/// control side reads. A kernel is a noncopyable struct without class references.
///
/// Counterpart of `AUKernelBase`, of which `AUEffectBase` makes one for each channel.
public protocol ChannelKernel: ~Copyable {
  /// Changes a parameter, or answers with its reading; `ParameterRequest` has both.
  /// - Parameter index: the parameter's index in the tree, which is its address. A new value is
  ///   within its range.
  /// - Returns: nil for a change.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func answer(_ index: Int, _ request: ParameterRequest) -> Double?

  /// Writes `frameCount` frames of output, which may be the input's own memory.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func process(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frameCount: Int)

  /// Whether silent input gives silent output and changes nothing but the kernel's ramps.
  /// - Thread: [render]
  var isAtRest: Bool { get }

  /// Advances ramps over frames that are not processed: silence while the kernel rests, or a
  /// bypass.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func skip(_ frameCount: Int)

  /// Clears the audio state. Parameters and their ramps continue.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func reset()
}

/// The range of a parameter of an effect's channels, and whether it ramps.
public struct ParameterLimits: Sendable, BitwiseCopyable {
  public let lowest: Float
  public let highest: Float
  /// Whether the parameter moves along ramps; if not, it is set on a ramp's first frame.
  public let ramps: Bool

  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public init(_ range: ClosedRange<Float>, ramps: Bool) {
    lowest = range.lowerBound
    highest = range.upperBound
    self.ramps = ramps
  }

  /// Returns a value limited to the range; NaN becomes its low end.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public func held(_ value: Float) -> Float {
    value > lowest ? (value < highest ? value : highest) : lowest
  }
}
