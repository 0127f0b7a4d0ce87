// Messages to the outputs of the channel stage, and the ends of notes at the notes' outputs.

import Realtime
import UnitRender

extension ChannelStage {
  @_noLocks @_noAllocation
  mutating func process(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    let channel = message.channel
    switch kind {
    case .noteOn: return noteOn(message, of: event, in: list)
    case .noteOff:
      let sent = held.release(message.noteIndex, by: event)
      if sent <= 0 { return .none }
      let outputs = UInt16(truncatingIfNeeded: sent)
      count(outputs, by: -1)
      return send(
        message.with(key: message.number), to: outputs, of: event, endsSomething: true, in: list)
    case .keyPressure:
      let sent = held.tag(message.noteIndex, event.pointee.identity)
      if sent == -1 { return .none }
      let outputs =
        sent == -2 ? noteOutputs(message) : UInt16(truncatingIfNeeded: sent)
      return send(message, to: outputs, of: event, endsSomething: false, in: list)
    case .controller: return controller(message, of: event, in: list)
    case .plainController, .programChange, .channelPressure, .pitchBend:
      return send(message, to: outputs[channel], of: event, endsSomething: false, in: list)
    case .systemReset:
      reset()
      return message
    case .systemExclusive, .system, .other: return message
    }
  }

  /// The outputs of a note by the settings.
  @_noLocks @_noAllocation
  private mutating func noteOutputs(_ message: ShortMessage) -> UInt16 {
    hasZones ? zoneOutputs(message) : outputs[message.channel]
  }

  @_noLocks @_noAllocation
  private mutating func zoneOutputs(_ message: ShortMessage) -> UInt16 {
    let channel = message.channel
    var outputs = outputs[channel]
    var rest = outputs
    while rest != 0 {
      let output = rest.trailingZeroBitCount
      if velocity(of: 127, key: message.number, channel: channel, at: output) == 0 {
        outputs = outputs.with(bit: output, false)
      }
      rest &= rest - 1
    }
    return outputs
  }

  @_noLocks @_noAllocation
  private mutating func noteOn(
    _ message: ShortMessage, of event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList
  ) -> ShortMessage {
    let channel = message.channel
    var outputs = noteOutputs(message) & ~broken
    let isSplit = outputs & (outputs &- 1) != 0
    if isSplit { outputs = Self.thatFindRoom(outputs, in: list) }
    if outputs == 0 || !held.press(message.noteIndex, event.pointee.identity, tag: Int(outputs)) {
      held.pressSilently(message.noteIndex)
      return .none
    }
    count(outputs, by: 1)
    held.noteSender(channel, of: outputs)
    if isSplit { append(noteOn: message, to: outputs & (outputs - 1), behind: event, in: list) }
    return noteOn(message, at: outputs.trailingZeroBitCount)
  }

  /// Returns the outputs that find room in the list. The first one uses the event itself; notes
  /// without room are dropped whole.
  @_noLocks @_noAllocation
  private static func thatFindRoom(_ outputs: UInt16, in list: RenderEventList) -> UInt16 {
    var outputs = outputs
    while outputs.nonzeroBitCount > list.room + 1 {
      outputs &= outputs - 1
      list.header.pointee.droppedCount &+= 1
    }
    return outputs
  }

  @_noLocks @_noAllocation
  private mutating func append(
    noteOn message: ShortMessage, to outputs: UInt16,
    behind event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList
  ) {
    var last = event
    var rest = outputs
    while rest != 0 {
      var copy = event.pointee
      copy.message = noteOn(message, at: rest.trailingZeroBitCount)
      if let added = list.insert(copy, after: last) { last = added }
      rest &= rest - 1
    }
  }

  /// A note-on for an output.
  @_noLocks @_noAllocation
  private mutating func noteOn(_ message: ShortMessage, at output: Int) -> ShortMessage {
    if !hasZones { return message.with(channel: output) }
    let velocity = velocity(
      of: message.value, key: message.number, channel: message.channel, at: output)
    return message.with(channel: output).with(value: velocity)
  }

  @_noLocks @_noAllocation
  private mutating func controller(
    _ message: ShortMessage, of event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList
  ) -> ShortMessage {
    let channel = message.channel
    let number = message.number
    var outputs = outputs[channel]
    if ControllerNumber.isPedal(number) {
      let pedal = channel * 6 + number - 64
      if message.value >= 64 {
        pedals[pedal] |= outputs
        return send(message, to: outputs, of: event, endsSomething: false, in: list)
      }
      outputs |= pedals[pedal]
      pedals[pedal] = 0
      return send(message, to: outputs, of: event, endsSomething: true, in: list)
    }
    if number == ControllerNumber.resetAllControllers {
      var pedal = channel * 6
      while pedal < channel * 6 + 6 {
        outputs |= pedals[pedal]
        pedals[pedal] = 0
        pedal &+= 1
      }
      return send(message, to: outputs, of: event, endsSomething: true, in: list)
    }
    if !ControllerNumber.endsNotes(number) {
      return send(message, to: outputs, of: event, endsSomething: false, in: list)
    }
    let others = held.tags(channel: channel) & ~outputs
    let sent = send(message, to: outputs, of: event, endsSomething: true, in: list)
    forget(outputs | others)
    if others == 0 { return sent }
    let ending = number > 123 ? message.asAllNotesOff : message
    if sent.isNone { return send(ending, to: others, of: event, endsSomething: true, in: list) }
    pendingReleases.pointee.addAll(of: append(ending, to: others, behind: event, in: list))
    return sent
  }

  /// Sends a message to each output.
  /// - Parameter endsSomething: whether an output without room for the message is broken.
  /// - Returns: the message for the first output, to replace the original; `.none` without outputs.
  @_noLocks @_noAllocation
  private mutating func send(
    _ message: ShortMessage, to outputs: UInt16, of event: UnsafeMutablePointer<RenderEvent>,
    endsSomething: Bool, in list: RenderEventList
  ) -> ShortMessage {
    let outputs = outputs & ~broken
    if outputs == 0 { return .none }
    let others = outputs & (outputs - 1)
    if others != 0 {
      let missed = append(message, to: others, behind: event, in: list)
      if endsSomething && missed != 0 {
        pendingReleases.pointee.addAll(of: missed)
        forget(missed)
      }
    }
    return message.with(channel: outputs.trailingZeroBitCount)
  }

  /// Inserts copies for several outputs after an event.
  /// - Returns: the outputs without room.
  @_noLocks @_noAllocation
  private mutating func append(
    _ message: ShortMessage, to outputs: UInt16, behind event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> UInt16 {
    var missed: UInt16 = 0
    var last = event
    var rest = outputs
    while rest != 0 {
      let output = rest.trailingZeroBitCount
      var copy = event.pointee
      copy.message = message.with(channel: output)
      if let added = list.insert(copy, after: last) {
        last = added
      } else {
        missed = missed.with(bit: output, true)
      }
      rest &= rest - 1
    }
    return missed
  }

  @_noLocks @_noAllocation
  mutating func passedAround(_ message: ShortMessage, _ kind: MessageKind) {
    if message.endsNotes(kind) { forget(UInt16(0).with(bit: message.channel, true)) }
  }

  /// Forgets the notes of outputs, which another message has ended.
  @_noLocks @_noAllocation
  mutating func forget(_ outputs: UInt16) {
    var ended: UInt16 = 0
    var output = 0
    while output < 16 {
      if outputs.has(bit: output) && heldCounts[output] > 0 {
        heldCounts[output] = 0
        ended = ended.with(bit: output, true)
      }
      output &+= 1
    }
    if ended != 0 { held.clear(tagBits: ended) }
  }

  @_noLocks @_noAllocation
  private mutating func count(_ outputs: UInt16, by step: Int) {
    var rest = outputs
    while rest != 0 {
      heldCounts[rest.trailingZeroBitCount] += step
      rest &= rest - 1
    }
  }
}
