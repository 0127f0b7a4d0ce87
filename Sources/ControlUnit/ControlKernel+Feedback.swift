// Feedback of parameter values to controls, whatever has moved the parameters.

import MIDIStages
import Realtime
import UnitRender

extension ControlKernel {
  /// One message per 64 frames: the rate of a MIDI cable.
  private static var framesPerMessage: FrameTime { @_noLocks @_noAllocation get { 64 } }
  private static var mostMessages: Int { @_noLocks @_noAllocation get { 64 } }
  /// The maximum number of mappings examined in a call.
  private static var mostLooks: Int { @_noLocks @_noAllocation get { 128 } }

  /// Sends feedback for changed parameters on the first frame of a call: the last value of each. If
  /// these are too many for one call, it continues in the next one.
  @_noLocks @_noAllocation
  mutating func feedBack(_ call: RenderCallView) {
    let count = table.pointee.entryCount
    guard count > 0, let output = call.midiOutput else { return }
    let frame = call.call.pointee.frame
    takeTime(to: frame)
    let requests = feedbackRequests[0]
    if requests != answeredRequests {
      answeredRequests = requests
      epoch &+= 1
    }
    var looks = min(count, Self.mostLooks)
    while looks > 0 {
      if nextFeedback >= count { nextFeedback = 0 }
      let entry = table.pointee.entries + nextFeedback
      if !feedBack(entry, at: frame, output) { return }
      nextFeedback &+= 1
      looks &-= 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func takeTime(to frame: FrameTime) {
    let passed = frame &- feedbackFrame
    // A jump counts as a pause.
    let isJump = passed < 0 || passed > 1 << 20
    let messages = isJump ? Self.mostMessages : Int(passed / Self.framesPerMessage)
    if messages <= 0 { return }
    feedbackCredit = min(feedbackCredit &+ messages, Self.mostMessages)
    feedbackFrame = isJump ? frame : feedbackFrame &+ FrameTime(messages) &* Self.framesPerMessage
  }

  /// - Returns: false if it has to wait.
  @_noLocks @_noAllocation
  private mutating func feedBack(
    _ entry: UnsafeMutablePointer<ControlEntry>, at frame: FrameTime, _ output: RenderEventList
  ) -> Bool {
    let cost = entry.pointee.feedback.cost
    if cost == 0 { return true }
    let mapping = memory.mappings + entry.pointee.slot
    if mapping.pointee.generation != entry.pointee.generation {
      mapping.pointee = MappingMemory(generation: entry.pointee.generation)
    }
    let parameter = table.pointee.parameters + entry.pointee.parameter
    let value = parameter.pointee.values[parameter.pointee.valueIndex]
    let isKnown = mapping.pointee.epoch == epoch
    if !value.isFinite || (isKnown && value.bitPattern == mapping.pointee.reported.bitPattern) {
      return true
    }
    // A moved control is at its position already, and a ramp reports its value at the end.
    let known = memory.parameters + parameter.pointee.slot
    let isRamping =
      known.pointee.generation == parameter.pointee.generation && frame < known.pointee.rampEnd
    if frame < mapping.pointee.heldUntil || isRamping { return true }
    let isOwn =
      entry.pointee.hasPosition && value.bitPattern == mapping.pointee.sent.bitPattern
      && mapping.pointee.control >= 0
    let level = entry.pointee.feedback.level(
      isOwn ? mapping.pointee.control : entry.pointee.position(value))
    if !isKnown || level != mapping.pointee.level {
      if feedbackCredit < cost { return false }
      feedbackCredit &-= cost
      entry.pointee.feedback.send(level, at: frame, output)
    }
    mapping.pointee.epoch = epoch
    mapping.pointee.level = level
    mapping.pointee.reported = value
    return true
  }

  /// Records that a control was moved and needs no feedback. Not for a switch: it may show its
  /// state.
  @_noLocks @_noAllocation
  func hold(
    _ entry: UnsafeMutablePointer<ControlEntry>, _ mapping: UnsafeMutablePointer<MappingMemory>,
    _ level: Double, at frame: FrameTime
  ) {
    if case .toggle = entry.pointee.mode { return }
    mapping.pointee.heldUntil = frame &+ FrameTime(table.pointee.holdFrames)
    if entry.pointee.hasPosition {
      mapping.pointee.control = level
      mapping.pointee.level = entry.pointee.feedback.level(level)
    }
  }
}
