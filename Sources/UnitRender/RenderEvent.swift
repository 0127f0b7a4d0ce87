// One event of a render cycle: its kinds and how each is made.

@_exported import CRealtime
import Realtime

/// What a `RenderEvent` says. Counterpart of `AURenderEventType`, with its values.
public enum RenderEventKind: UInt8, Sendable {
  case parameter = 1
  case parameterRamp = 2
  case midi = 8
  case systemExclusive = 9
  /// Begins or ends a bypass. The host takes it: kernels get the call's flag instead, but for those
  /// of time effects. AUv3: none.
  case bypass = 16
}

extension RenderEvent {
  /// The frame that stands for "the next cycle's first frame". Counterpart of
  /// `AUEventSampleTimeImmediate`.
  @inlinable
  public static var immediate: FrameTime { @_noLocks @_noAllocation get { FrameTime.min } }

  /// The event's kind, nil when the memory holds none (a damaged event).
  @inlinable
  public var eventKind: RenderEventKind? {
    @_noLocks @_noAllocation get {
      switch kind {
      case 1: return .parameter
      case 2: return .parameterRamp
      case 8: return .midi
      case 9: return .systemExclusive
      case 16: return .bypass
      default: return nil
      }
    }
  }

  /// A parameter event: `value` in the parameter's unit; `rampFrames` of 0 sets it, more ramp to
  /// it.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public static func parameter(
    address: UInt64, value: Float, rampFrames: UInt32 = 0, at frame: FrameTime
  ) -> RenderEvent {
    var event = RenderEvent()
    event.frame = frame
    event.address = address
    event.value = value
    event.rampFrames = rampFrames
    event.kind = rampFrames == 0 ? 1 : 2
    return event
  }

  /// By how many frames the host delivers a parameter event behind its own frame, which no call had
  /// or an earlier one: 0 for one in time, 2^32 − 1 at most. AUv3: none.
  @inlinable
  public var lateFrames: Int {
    @_noLocks @_noAllocation get { isParameter ? Int(truncatingIfNeeded: length) : 0 }
  }

  /// The same event on a later frame, which keeps its own one as `lateFrames`.
  @_noLocks @_noAllocation
  func delivered(at start: FrameTime) -> RenderEvent {
    var event = self
    event.frame = start
    if isParameter && frame != Self.immediate {
      let most = FrameTime(UInt32.max)
      let late = frame > start &- most ? start &- frame : most
      event.length = UInt32(truncatingIfNeeded: late)
    }
    return event
  }

  /// Whether it sets or ramps a parameter.
  @inlinable
  public var isParameter: Bool { @_noLocks @_noAllocation get { kind == 1 || kind == 2 } }

  /// Begins a bypass on a frame, or ends it.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public static func bypass(_ isOn: Bool, at frame: FrameTime) -> RenderEvent {
    var event = RenderEvent()
    event.frame = frame
    event.value = isOn ? 1 : 0
    event.kind = 16
    return event
  }

  /// Whether it begins or ends a bypass; `value` is 1 or 0.
  @inlinable
  public var isBypass: Bool { @_noLocks @_noAllocation get { kind == 16 } }

  /// Whether it is for the unit of its `target`: a parameter's value, or a bypass.
  @inlinable
  public var isControl: Bool { @_noLocks @_noAllocation get { isParameter || isBypass } }

  /// A MIDI message of 1 to 3 bytes: a status byte, never running status.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public static func midi(
    _ status: UInt8, _ data1: UInt8 = 0, _ data2: UInt8 = 0, length: UInt32 = 3, cable: UInt8 = 0,
    at frame: FrameTime
  ) -> RenderEvent {
    var event = RenderEvent()
    event.frame = frame
    event.bytes = (status, data1, data2, 0)
    event.length = length
    event.cable = cable
    event.kind = 8
    return event
  }

  /// A SysEx message; its bytes are given where the event joins a list.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public static func systemExclusive(length: UInt32, cable: UInt8 = 0, at frame: FrameTime)
    -> RenderEvent
  {
    var event = RenderEvent()
    event.frame = frame
    event.length = length
    event.cable = cable
    event.kind = 9
    return event
  }
}
