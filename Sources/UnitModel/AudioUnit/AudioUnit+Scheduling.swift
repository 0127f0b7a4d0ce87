// Scheduling events for a frame, from any control thread.

import Realtime
import UnitRender

/// When an event takes effect.
///
/// AUv3: `AUEventSampleTime`.
public enum EventTime: Sendable, Hashable {
  /// On the next cycle's first frame.
  case immediate
  /// On this frame, or at once if it has passed.
  case frame(FrameTime)

  var frameTime: FrameTime {
    switch self {
    case .immediate: RenderEvent.immediate
    case .frame(let frame): frame
    }
  }
}

extension AudioUnit {
  /// Schedules a value, clamped to the parameter's range, with a ramp of `rampFrames` from the
  /// event's frame on.
  ///
  /// Reading the parameter gives the current value. Observers are not notified.
  ///
  /// - Throws: `ScheduleError`.
  ///
  /// AUv3: `scheduleParameterBlock`.
  /// - Thread: [control], while render resources are allocated.
  public func scheduleParameter(
    _ address: ParameterAddress, value: Float, at time: EventTime = .immediate, rampFrames: Int = 0
  ) throws(ScheduleError) {
    guard let parameter = parameterTree.parameter(address: address) else {
      throw .unknownParameter(address)
    }
    guard parameter.flags.contains(.writable), !parameter.flags.contains(.nonRealTime) else {
      throw .notSchedulable(keyPath: parameter.keyPath)
    }
    guard !value.isNaN else { throw .notANumber(keyPath: parameter.keyPath) }
    guard let ramp = UInt32(exactly: rampFrames) else { throw .rampTooLong(rampFrames) }
    guard ramp == 0 || parameter.flags.contains(.canRamp) else {
      throw .notRampable(keyPath: parameter.keyPath)
    }
    let event = RenderEvent.parameter(
      address: address, value: min(max(value, parameter.minValue), parameter.maxValue),
      rampFrames: ramp, at: time.frameTime)
    try send { $0.send(event) == .accepted }
  }

  /// Schedules MIDI: one or more complete messages, each with its status byte, or one SysEx.
  ///
  /// All bytes are checked before the first message is scheduled.
  ///
  /// - Throws: `ScheduleError`.
  ///
  /// AUv3: `scheduleMIDIEventBlock`.
  /// - Thread: [control], while render resources are allocated.
  public func scheduleMIDI(
    _ bytes: [UInt8], at time: EventTime = .immediate, cable: Int = 0
  ) throws(ScheduleError) {
    guard (0..<min(virtualMIDICableCount, 256)).contains(cable) else {
      throw .unknownCable(cable, cables: virtualMIDICableCount)
    }
    let messages = try Self.messages(in: bytes)
    if bytes.first == 0xF0, bytes.count > backing.inlet.payloadCapacity {
      throw .systemExclusiveTooLong(bytes.count, maximum: backing.inlet.payloadCapacity)
    }
    var accepted = 0
    for message in messages {
      try send(acceptedBytes: accepted) {
        $0.sendMIDI(message, cable: UInt8(cable), at: time.frameTime) == .accepted
      }
      accepted += message.count
    }
  }

  /// Schedules an event for the unit's own kernel: a parameter event at an address that no
  /// parameter of the tree has. A parameter's address stops the program. For unit developers.
  ///
  /// - Throws: `ScheduleError`.
  /// - Thread: [control], while render resources are allocated.
  public func scheduleOwnEvent(
    address: ParameterAddress, value: Float, at time: EventTime = .immediate
  ) throws(ScheduleError) {
    precondition(
      parameterTree.parameter(address: address) == nil, "a parameter has address \(address)")
    let event = RenderEvent.parameter(address: address, value: value, at: time.frameTime)
    try send { $0.send(event) == .accepted }
  }

  /// Schedules the start or the end of a bypass, on the event's frame. `shouldBypassEffect` does
  /// not change: once the frame has passed, `settleBypass` sets it.
  ///
  /// - Throws: `ScheduleError`.
  ///
  /// AUv3: none.
  /// - Thread: [control], while render resources are allocated.
  public func scheduleBypass(
    _ isOn: Bool, at time: EventTime = .immediate
  ) throws(ScheduleError) {
    try send { $0.send(.bypass(isOn, at: time.frameTime)) == .accepted }
  }

  /// Discards the events that wait for a later frame.
  ///
  /// - Thread: [control]
  public func discardScheduledEvents() { backing.inlet.discardTimed() }

  /// Whether `count` events with a frame can be scheduled, unless another thread schedules some
  /// first; false while no render resources are allocated.
  ///
  /// - Thread: [control]
  public func hasRoom(forEvents count: Int) -> Bool {
    backing.gate.state.withLock { state in
      state.phase == .allocated && backing.inlet.hasRoom(forEvents: count)
    }
  }

  /// The number of events sent to the render side: scheduled events, and values that were set.
  ///
  /// - Thread: [any]
  public var sentEventCount: Int { backing.inlet.sentCount }

  /// Returns the first frame of the cycle that took an event. An immediate event took effect on it.
  ///
  /// - Parameter number: the value of `sentEventCount` after the event was sent.
  /// - Returns: nil until a cycle has taken it, after 256 more cycles with events, and if it was
  ///   dropped.
  /// - Thread: [any]
  public func frame(ofSentEvent number: Int) -> FrameTime? { backing.inlet.frame(ofEvent: number) }

  /// The number of sent events that no longer wait for a cycle: a cycle took them, or they were
  /// dropped with the render resources.
  ///
  /// - Thread: [any]
  public var doneEventCount: Int { backing.inlet.doneCount }

  /// Sends an event while holding the lock that prevents deallocation.
  private func send(
    acceptedBytes: Int = 0, _ event: (EventInlet) -> Bool
  ) throws(ScheduleError) {
    try backing.gate.state.withLock { (state) throws(ScheduleError) in
      guard state.phase == .allocated else { throw .notAllocated }
      guard event(backing.inlet) else { throw .queueFull(acceptedBytes: acceptedBytes) }
    }
  }

  private static func messages(in bytes: [UInt8]) throws(ScheduleError) -> [[UInt8]] {
    guard let first = bytes.first else { throw .malformedMIDI(bytes) }
    if first == 0xF0 {
      guard isWhole(bytes) else { throw .malformedMIDI(bytes) }
      return [bytes]
    }
    var messages: [[UInt8]] = []
    var rest = bytes[...]
    while let status = rest.first {
      let message = Array(rest.prefix(MIDIMessage.length(ofStatus: status)))
      guard isWhole(message) else { throw .malformedMIDI(bytes) }
      messages.append(message)
      rest = rest.dropFirst(message.count)
    }
    return messages
  }

  private static func isWhole(_ message: [UInt8]) -> Bool {
    message.withUnsafeBufferPointer {
      guard let start = $0.baseAddress else { return false }
      return MIDIMessage.form(of: start, count: $0.count) != .malformed
    }
  }
}
