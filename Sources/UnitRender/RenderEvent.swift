// One event of a render cycle: its kinds and their constructors.

@_exported import CRealtime
import Realtime

/// The kind of a `RenderEvent`. Counterpart of `AURenderEventType`, with its values.
public enum RenderEventKind: UInt8, Sendable {
  case parameter = 1
  case parameterRamp = 2
  case midi = 8
  case systemExclusive = 9
  /// Starts or ends a bypass. The host handles it: only kernels of time effects receive the event,
  /// others get the call's flag. AUv3: none.
  case bypass = 16
}

extension RenderEvent {
  /// The frame that means "the next cycle's first frame". Counterpart of
  /// `AUEventSampleTimeImmediate`.
  @inlinable
  public static var immediate: FrameTime { @_noLocks @_noAllocation get { FrameTime.min } }

  /// The event's kind; nil if the memory holds none (a damaged event).
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

  /// Whether it is a MIDI message of up to three bytes. With a comparison of `eventKind` in its
  /// place, the flood of `make worst` takes 14 % more instructions.
  @inlinable
  package var isMIDI: Bool { @_noLocks @_noAllocation get { kind == 8 } }

  /// Whether it is a SysEx message.
  @inlinable
  package var isSystemExclusive: Bool { @_noLocks @_noAllocation get { kind == 9 } }

  /// Creates a parameter event. `value` is in the parameter's unit; `rampFrames` of 0 sets it, more
  /// ramp to it.
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

  /// Frames from a parameter event's own frame to its delivery, if that frame was in an earlier
  /// call or in none. 0 if in time, 2^32 − 1 at most. AUv3: none.
  @inlinable
  public var lateFrames: Int {
    @_noLocks @_noAllocation get { isParameter ? Int(truncatingIfNeeded: length) : 0 }
  }

  /// Returns the same event on a later frame. A parameter event keeps the distance to its own frame
  /// as `lateFrames`.
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

  /// Whether the event sets or ramps a parameter.
  @inlinable
  public var isParameter: Bool { @_noLocks @_noAllocation get { kind == 1 || kind == 2 } }

  /// Creates an event that starts or ends a bypass on a frame.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public static func bypass(_ isOn: Bool, at frame: FrameTime) -> RenderEvent {
    var event = RenderEvent()
    event.frame = frame
    event.value = isOn ? 1 : 0
    event.kind = 16
    return event
  }

  /// Whether the event starts or ends a bypass; `value` is 1 or 0.
  @inlinable
  public var isBypass: Bool { @_noLocks @_noAllocation get { kind == 16 } }

  /// Whether the event is for the unit of its `target`: a parameter's value, or a bypass.
  @inlinable
  public var isControl: Bool { @_noLocks @_noAllocation get { isParameter || isBypass } }

  /// Creates a MIDI message of 1 to 3 bytes, with a status byte, never running status.
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

  /// Creates a SysEx message; its bytes are passed when the event is inserted into a list.
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
