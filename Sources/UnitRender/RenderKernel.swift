// The contract of a unit's render side.

import Realtime

/// The render-side state of a unit, and what it does with events and frames.
///
/// A kernel is a noncopyable struct without class references. `driveKernel` calls it: all events of
/// a frame by `handle`, then `render` for the frames up to the next event.
public protocol RenderKernel: ~Copyable {
  /// A call begins. Read what is new from the control side here.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView)

  /// Replaces the call's events, before the first of them is handled, for a kernel with a MIDI
  /// chain.
  /// - Parameters:
  ///   - list: the call's events, nil when it has none. They may be changed in place; those from
  ///     `call.frame + frameCount` on belong to a later call of the cycle.
  /// - Returns: the events to handle, in memory that stays as it is until the call ends; `list`
  ///   itself unless the kernel says otherwise.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func transformEvents(_ list: RenderEventList?, _ call: RenderCallView)
    -> RenderEventList?

  /// Applies one event. It takes effect on the next frame that `render` makes.
  /// - Parameters:
  ///   - event: of `list`, which is what `transformEvents` returned.
  ///   - call: the call; MIDI that the event makes goes to its `midiOutput`.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView)

  /// Writes all outputs for the frames of `slice`.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice)

  /// Lets ramps go on for frames of a bypass, which are not rendered.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func skip(_ frameCount: Int)

  /// A call ends. Publish what the control side reads here.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView)

  /// Returns to the state after allocation; parameter values stay.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func reset()

  /// True when the kernel passes its input through itself, without a click, while the call has
  /// `kRenderCallBypass`, as many frames late as the unit's latency says. Otherwise the host fades
  /// to the input, as late, and back: the kernel is not rendered but in the fades, when calls have
  /// no such flag. One with inputs is reset where its bypass ends, and its input rises then.
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
  /// At least 1.
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

  /// The slice's frames of an input channel. `driveKernel` made sure that they are there.
  @_noLocks @_noAllocation @inlinable
  public func input(bus: Int = 0, channel: Int) -> UnsafePointer<Float> {
    UnsafePointer(call.input(bus)[channel].unsafelyUnwrapped + offset)
  }

  /// The slice's frames of an output channel. `driveKernel` made sure that they are there.
  @_noLocks @_noAllocation @inlinable
  public func output(bus: Int = 0, channel: Int) -> UnsafeMutablePointer<Float> {
    call.output(bus)[channel].unsafelyUnwrapped + offset
  }
}
