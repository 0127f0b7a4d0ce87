// Errors of scheduling events.

import UnitRender

/// The reason why a unit refused an event. Nothing was scheduled, except with `queueFull`.
public enum ScheduleError: Error, Sendable, Hashable, CustomStringConvertible {
  case notAllocated
  /// The queue is full. Of several MIDI messages, the first `acceptedBytes` bytes were scheduled.
  case queueFull(acceptedBytes: Int)
  case unknownParameter(ParameterAddress)
  case notRampable(keyPath: String)
  case rampTooLong(Int)
  /// The parameter is read-only, or changes only on the control side.
  case notSchedulable(keyPath: String)
  case notANumber(keyPath: String)
  case malformedMIDI([UInt8])
  case unknownCable(Int, cables: Int)
  case systemExclusiveTooLong(Int, maximum: Int)

  public var description: String {
    switch self {
    case .notAllocated:
      "render resources are not allocated; allocate them before scheduling events"
    case .queueFull(let bytes):
      "the unit's event queue is full"
        + (bytes > 0 ? " after \(bytes) bytes" : "")
        + ": as many events wait for their frames as fit; schedule again when some have passed, or "
        + "discard them all (auricle ctl panic)"
    case .unknownParameter(let address):
      "the unit has no parameter with address \(address)"
    case .notRampable(let keyPath):
      "\(keyPath) cannot ramp; schedule it with a ramp of 0 frames"
    case .rampTooLong(let frames):
      "a ramp of \(frames) frames; give 0 to \(UInt32.max)"
    case .notSchedulable(let keyPath):
      "\(keyPath) cannot be scheduled: it is read-only or changes outside of rendering"
    case .notANumber(let keyPath):
      "\(keyPath): the value is not a number; give a number in the parameter's range"
    case .malformedMIDI(let bytes):
      "not complete MIDI messages: "
        + bytes.prefix(16).map { String($0, radix: 16) }.joined(separator: " ")
    case .unknownCable(let cable, let count):
      count == 0
        ? "the unit takes no MIDI" : "cable \(cable): the unit has cables 0 to \(count - 1)"
    case .systemExclusiveTooLong(let count, let maximum):
      "a SysEx of \(count) bytes; the unit takes at most \(maximum)"
    }
  }
}
