// What is remembered of mappings and their parameters from event to event.

import Realtime

/// What is remembered of a mapping.
struct MappingMemory: BitwiseCopyable {
  /// Whose memory it is.
  var generation = -1
  /// Where the control was last, 0…1; below 0 before its first message.
  var control = -1.0
  /// Where the control would be for what was sent last.
  var position = 0.0
  /// What was sent last; no number before.
  var sent = Float.nan
  /// Whether the control has come to where the parameter is.
  var isCaught = false
  /// Whether a key or switch is down.
  var isPressed = false
  /// Until when the control counts as being moved.
  var heldUntil = FrameTime.min
  /// The parameter's value that the control was told, and what that is in its messages.
  var told = Float.nan
  var level = -1
  /// In which turn of telling everything it was told.
  var epoch = -1

  @_noLocks @_noAllocation
  init(generation: Int) { self.generation = generation }
}

/// What is remembered of a parameter.
struct ParameterMemory: BitwiseCopyable {
  var generation = -1
  /// Its value, as far as it is known: what was sent last, or what was seen since.
  var present: Float = 0
  /// What its unit has told last.
  var seen: Float = 0
  /// The number of the call in which it was looked at last.
  var call = -1
  /// When the ramp ends that was sent last: until then the unit tells where it is.
  var rampEnd = FrameTime.min

  @_noLocks @_noAllocation
  init(generation: Int, value: Float) {
    self.generation = generation
    present = value
    seen = value
  }
}

/// The memory of all mappings, which outlives their tables. The value is a handle: copies name the
/// same memory.
struct ControlMemory: @unchecked Sendable, BitwiseCopyable {
  let mappings: UnsafeMutablePointer<MappingMemory>
  let parameters: UnsafeMutablePointer<ParameterMemory>

  /// - Parameter count: of mappings, and of parameters.
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
