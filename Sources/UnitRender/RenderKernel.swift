// The protocol of a unit's render side.

import Realtime

/// The render-side state of a unit, and its handling of events and frames.
///
/// A kernel is a noncopyable struct without class references. `driveKernel` calls `handle` for all
/// events of a frame, then `render` for the frames up to the next event.
public protocol RenderKernel: ~Copyable {
  /// Begins a call. Read changes from the control side here.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView)

  /// Replaces the call's events, before the first of them is handled, for a kernel with a MIDI
  /// chain.
  /// - Parameters:
  ///   - list: the call's events; nil if it has none. They may be changed in place; those from
  ///     `call.frame + frameCount` on belong to a later call of the cycle.
  /// - Returns: the events to handle, in memory that stays unchanged until the call ends. The
  ///   default is `list` itself.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func transformEvents(_ list: RenderEventList?, _ call: RenderCallView)
    -> RenderEventList?

  /// Applies one event. It takes effect on the next frame that `render` makes.
  /// - Parameters:
  ///   - event: an event of `list`, the result of `transformEvents`.
  ///   - call: the call; MIDI made by the event goes to its `midiOutput`.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView)

  /// Writes all outputs for the frames of `slice`.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice)

  /// Advances ramps over frames of a bypass, which are not rendered.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func skip(_ frameCount: Int)

  /// Ends a call. Publish the values for the control side here.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView)

  /// Returns to the state after allocation; parameter values stay.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func reset()

  /// Whether the kernel itself passes its input through, without a click and delayed by the unit's
  /// latency, while the call has `kRenderCallBypass`. Otherwise the host fades to the equally
  /// delayed input and back. The kernel is then rendered only during the fades, when calls lack the
  /// flag. At the end of a bypass a kernel with inputs is reset, and its input fades in.
  @_noLocks @_noAllocation
  static func handlesBypass() -> Bool
}

extension RenderKernel where Self: ~Copyable {
  @_noLocks @_noAllocation @inlinable
  public mutating func begin(_ call: RenderCallView) {}

  @_noLocks @_noAllocation @inlinable
  public mutating func transformEvents(_ list: RenderEventList?, _ call: RenderCallView)
    -> RenderEventList?
  { list }

  @_noLocks @_noAllocation @inlinable
  public mutating func skip(_ frameCount: Int) {}

  @_noLocks @_noAllocation @inlinable
  public mutating func end(_ call: RenderCallView) {}

  @_noLocks @_noAllocation @inlinable
  public static func handlesBypass() -> Bool { false }
}

/// A run of frames between two events of a call.
public struct RenderSlice: BitwiseCopyable {
  public let call: RenderCallView
  /// The slice's first frame, counted from the call's first.
  public let offset: Int
  /// Number of frames, at least 1.
  public let frameCount: Int

  @_noLocks @_noAllocation @inlinable
  public init(call: RenderCallView, offset: Int, frameCount: Int) {
    self.call = call
    self.offset = offset
    self.frameCount = frameCount
  }

  /// The frame time of the slice's first frame.
  @inlinable
  public var frame: FrameTime {
    @_noLocks @_noAllocation get { call.call.pointee.frame + FrameTime(offset) }
  }

  /// Returns the slice's frames of an input channel. `driveKernel` has ensured their memory.
  @_noLocks @_noAllocation @inlinable
  public func input(bus: Int = 0, channel: Int) -> UnsafePointer<Float> {
    UnsafePointer(call.input(bus)[channel].unsafelyUnwrapped + offset)
  }

  /// Returns the slice's frames of an output channel. `driveKernel` has ensured their memory.
  @_noLocks @_noAllocation @inlinable
  public func output(bus: Int = 0, channel: Int) -> UnsafeMutablePointer<Float> {
    call.output(bus)[channel].unsafelyUnwrapped + offset
  }
}
