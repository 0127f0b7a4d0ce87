// State of mappings and their parameters, kept between events.

import Realtime

/// The state of a mapping.
struct MappingMemory: BitwiseCopyable {
  /// The generation of the mapping that it belongs to.
  var generation = -1
  /// The control's last position, 0…1; below 0 before its first message.
  var control = -1.0
  /// The control's position for the value sent last.
  var position = 0.0
  /// The value sent last; NaN before the first.
  var sent = Float.nan
  /// Whether the control has reached the parameter's value.
  var isCaught = false
  /// Whether a key or switch is down.
  var isPressed = false
  /// The frame until which the control counts as being moved.
  var heldUntil = FrameTime.min
  /// The parameter's value last sent as feedback, and its level in the control's messages.
  var reported = Float.nan
  var level = -1
  /// The epoch in which the feedback was sent.
  var epoch = -1

  @_noLocks @_noAllocation
  init(generation: Int) { self.generation = generation }
}

/// The state of a parameter.
struct ParameterMemory: BitwiseCopyable {
  var generation = -1
  /// The value, if known: the last one sent, or one seen since.
  var present: Float = 0
  /// The value that its unit reported last.
  var seen: Float = 0
  /// The number of the call in which it was read last.
  var call = -1
  /// The end of the ramp sent last; until then the unit reports values of the ramp.
  var rampEnd = FrameTime.min

  @_noLocks @_noAllocation
  init(generation: Int, value: Float) {
    self.generation = generation
    present = value
    seen = value
  }
}

/// The state of all mappings, which outlives their tables. The value is a handle: copies name the
/// same memory.
struct ControlMemory: @unchecked Sendable, BitwiseCopyable {
  let mappings: UnsafeMutablePointer<MappingMemory>
  let parameters: UnsafeMutablePointer<ParameterMemory>

  /// - Parameter count: the capacity for mappings, and for parameters.
  /// - Thread: [control]
  init(count: Int) {
    mappings = .allocate(capacity: count)
    mappings.initialize(repeating: MappingMemory(generation: -1), count: count)
    parameters = .allocate(capacity: count)
    parameters.initialize(repeating: ParameterMemory(generation: -1, value: 0), count: count)
  }

  /// - Thread: [control], once the render side is gone.
  func deallocate() {
    mappings.deallocate()
    parameters.deallocate()
  }
}
