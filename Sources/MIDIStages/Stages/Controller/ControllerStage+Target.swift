// The sending of a value to a mapping's target.

import Realtime
import UnitRender

extension ControllerStage {
  /// Inserts a message of the target after an event, with the other fields of `original`.
  @_noLocks @_noAllocation
  mutating func insert(
    _ mapped: ShortMessage, behind event: UnsafeMutablePointer<RenderEvent>,
    like original: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var added = original.pointee
    added.message = mapped
    added.length = mappedLength
    return list.insert(added, after: event)
  }

  /// Sends the messages of a target that needs several: all or, without room, none.
  @_noLocks @_noAllocation
  mutating func send(
    _ result: Double, for message: ShortMessage, of event: UnsafeMutablePointer<RenderEvent>,
    keeps: Bool, in list: RenderEventList
  ) -> ShortMessage {
    if list.room < (keeps ? messageCount : messageCount - 1) {
      list.header.pointee.droppedCount &+= 1
      return keeps ? message : .none
    }
    var last = event
    var index = keeps ? 0 : 1
    while index < messageCount {
      let mapped = mappedMessage(index, result, channel: message.channel)
      if let added = insert(mapped, behind: last, like: event, in: list) { last = added }
      index &+= 1
    }
    if keeps { return message }
    event.pointee.length = mappedLength
    return mappedMessage(0, result, channel: message.channel)
  }

  /// Moves the target parameter, with an event that replaces `event` or follows it.
  @_noLocks @_noAllocation
  mutating func move(
    _ result: Double, _ message: ShortMessage, of event: UnsafeMutablePointer<RenderEvent>,
    keeps: Bool, in list: RenderEventList
  ) -> ShortMessage {
    guard let parameter else { return message }
    let ramp = rounded(rampMilliseconds * sampleRate / 1000)
    var moved = RenderEvent.parameter(
      address: parameter.pointee.address,
      value: parameter.pointee.value(part.low + (part.high - part.low) * result / 127),
      rampFrames: parameter.pointee.canRamp ? UInt32(truncatingIfNeeded: ramp) : 0,
      at: event.pointee.frame)
    if keeps {
      _ = list.insert(moved, after: event)
      return message
    }
    moved.next = event.pointee.next
    event.pointee = moved
    return ShortMessage(of: event)
  }

  /// The value for the target, 0 to 127.
  @_noLocks @_noAllocation
  mutating func result(_ value: Double) -> Double {
    let whole = Int(saturating: value)
    if Double(whole) != value { return workOut(value) }
    if !(results[whole & 127] >= 0) {
      results[whole & 127] = workOut(value)
      hasResults = true
    }
    return results[whole & 127]
  }

  @_noLocks @_noAllocation
  mutating func workOut(_ value: Double) -> Double {
    let span = Double(input.high - input.low)
    let level = unitInterval(
      span == 0 ? (value < Double(input.low) ? 0 : 1) : (value - Double(input.low)) / span)
    return Double(output.low)
      + Double(output.high - output.low) * curve.value(level, shape: shape)
  }

  /// The number of messages for one value of the target.
  var messageCount: Int {
    @_noLocks @_noAllocation get {
      switch target {
      case .controller, .channelPressure, .bend, .parameter: return 1
      case .controllerPair: return 2
      case .nonRegistered: return 6
      }
    }
  }

  /// The number of bytes of each of these messages.
  var mappedLength: UInt32 {
    @_noLocks @_noAllocation get {
      if case .channelPressure = target { return 2 }
      return 3
    }
  }

  /// One of the messages for a value.
  @_noLocks @_noAllocation
  mutating func mappedMessage(
    _ index: Int, _ result: Double, channel: Int
  ) -> ShortMessage {
    switch target {
    case .controller: return ShortMessage(0xB0 | channel, targetNumber, rounded(result))
    case .channelPressure: return ShortMessage(0xD0 | channel, rounded(result), 0)
    case .bend, .controllerPair, .nonRegistered, .parameter: break
    }
    let fine = rounded(result * 16383 / 127)
    let high = fine >> 7
    let low = fine & 127
    switch target {
    case .controllerPair:
      let coarse = targetNumber & 31
      return index == 0
        ? ShortMessage(0xB0 | channel, coarse, high)
        : ShortMessage(0xB0 | channel, coarse + 32, low)
    case .nonRegistered:
      let (number, value) = statement(
        index, UInt8(truncatingIfNeeded: high), UInt8(truncatingIfNeeded: low), channel: channel)
      return ShortMessage(0xB0 | channel, Int(number), Int(value))
    case .bend, .controller, .channelPressure, .parameter:
      return ShortMessage(0xE0 | channel, low, high)
    }
  }

  /// Controller and value of a message that sets the target's NRPN, then restores the sender's
  /// selection.
  @_noLocks @_noAllocation
  mutating func statement(
    _ index: Int, _ high: UInt8, _ low: UInt8, channel: Int
  ) -> (UInt8, UInt8) {
    let selected = halves[channel].selected
    switch index {
    case 0: return (99, UInt8(truncatingIfNeeded: targetNRPN >> 7))
    case 1: return (98, UInt8(truncatingIfNeeded: targetNRPN & 127))
    case 2: return (6, high)
    case 3: return (38, low)
    case 4: return (selected.isRegistered ? 101 : 99, selected.high)
    default: return (selected.isRegistered ? 100 : 98, selected.low)
    }
  }
}
