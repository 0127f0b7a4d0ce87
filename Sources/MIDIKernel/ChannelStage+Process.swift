// How messages are sent to the outputs of the channel stage, and how what has begun there ends.

import Realtime
import UnitRender

extension ChannelStage {
  /// False when the event is not to pass; what more comes of it stands right behind it.
  @_noLocks @_noAllocation
  mutating func process(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList
  ) -> Bool {
    let message = event.pointee
    let channel = message.channel
    switch message.messageKind {
    case .noteOn: return noteOn(event, in: list)
    case .noteOff:
      let sent = held.release(channel: channel, key: message.number)
      if sent <= 0 { return false }
      count(UInt16(truncatingIfNeeded: sent), by: -1)
      event.pointee.setKey(message.number)
      return send(event, to: UInt16(truncatingIfNeeded: sent), endsSomething: true, in: list)
    case .keyPressure:
      let sent = held.tag(channel: channel, key: message.number)
      if sent == -1 { return false }
      let outputs =
        sent == -2 ? noteOutputs(message) : UInt16(truncatingIfNeeded: sent)
      return send(event, to: outputs, endsSomething: false, in: list)
    case .controller: return controller(event, in: list)
    case .programChange, .channelPressure, .pitchBend:
      return send(event, to: outputs(of: channel), endsSomething: false, in: list)
    case .systemReset:
      reset()
      return true
    case .systemExclusive, .system, .other: return true
    }
  }

  /// The outputs that a note goes to by the settings.
  @_noLocks @_noAllocation
  private func noteOutputs(_ message: RenderEvent) -> UInt16 {
    let channel = message.channel
    var outputs = outputs(of: channel)
    var output = 0
    while output < 16 {
      if outputs.has(bit: output)
        && velocity(of: 127, key: message.number, channel: channel, at: output) == 0
      {
        outputs = outputs.with(bit: output, false)
      }
      output += 1
    }
    return outputs
  }

  @_noLocks @_noAllocation
  private mutating func noteOn(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList
  ) -> Bool {
    let message = event.pointee
    let channel = message.channel
    var outputs = noteOutputs(message) & ~broken
    // The first output takes the event itself. Notes that find no room are dropped whole.
    while outputs.nonzeroBitCount > list.room + 1 {
      outputs &= outputs - 1
      list.header.pointee.droppedCount &+= 1
    }
    if outputs == 0 || !held.press(channel: channel, key: message.number, tag: Int(outputs)) {
      held.pressSilently(channel: channel, key: message.number)
      return false
    }
    count(outputs, by: 1)
    var last = event
    var output = 0
    while output < 16 {
      if outputs.has(bit: output) {
        var copy = message
        copy.bytes.0 = 0x90 | UInt8(truncatingIfNeeded: output)
        copy.bytes.2 = UInt8(
          truncatingIfNeeded: velocity(
            of: Int(message.bytes.2), key: message.number, channel: channel, at: output))
        if outputs.trailingZeroBitCount == output {
          event.pointee.bytes = copy.bytes
        } else if let added = list.insert(copy, after: last) {
          last = added
        }
      }
      output += 1
    }
    return true
  }

  @_noLocks @_noAllocation
  private mutating func controller(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList
  ) -> Bool {
    let message = event.pointee
    let channel = message.channel
    let number = message.number
    var outputs = outputs(of: channel)
    if ControllerNumber.isPedal(number) {
      let place = channel * 6 + number - 64
      if message.bytes.2 >= 64 {
        pedals[place] |= outputs
        return send(event, to: outputs, endsSomething: false, in: list)
      }
      outputs |= pedals[place]
      pedals[place] = 0
      return send(event, to: outputs, endsSomething: true, in: list)
    }
    if number == ControllerNumber.resetAllControllers {
      var pedal = channel * 6
      while pedal < channel * 6 + 6 {
        outputs |= pedals[pedal]
        pedals[pedal] = 0
        pedal += 1
      }
      return send(event, to: outputs, endsSomething: true, in: list)
    }
    if !ControllerNumber.endsNotes(number) {
      return send(event, to: outputs, endsSomething: false, in: list)
    }
    let others = held.tags(channel: channel) & ~outputs
    let isSent = send(event, to: outputs, endsSomething: true, in: list)
    forget(outputs | others)
    if others == 0 { return isSent }
    var ending = message
    if number > 123 {
      ending.bytes.1 = ControllerNumber.allNotesOff
      ending.bytes.2 = 0
    }
    if !isSent {
      event.pointee.bytes = ending.bytes
      return send(event, to: others, endsSomething: true, in: list)
    }
    broken |= append(ending, to: others, after: event, in: list)
    return true
  }

  /// Sends a message to each output; false when there is none.
  /// - Parameter endsSomething: whether an output that finds no room for it is broken.
  @_noLocks @_noAllocation
  private mutating func send(
    _ event: UnsafeMutablePointer<RenderEvent>, to outputs: UInt16, endsSomething: Bool,
    in list: RenderEventList
  ) -> Bool {
    let outputs = outputs & ~broken
    if outputs == 0 { return false }
    let message = event.pointee
    let first = outputs.trailingZeroBitCount
    event.pointee.bytes.0 = message.bytes.0 & 0xF0 | UInt8(truncatingIfNeeded: first)
    let missed = append(message, to: outputs & (outputs - 1), after: event, in: list)
    if endsSomething && missed != 0 {
      broken |= missed
      forget(missed)
    }
    return true
  }

  /// Puts copies for several outputs behind an event.
  /// - Returns: the outputs that found no room.
  @_noLocks @_noAllocation
  private func append(
    _ message: RenderEvent, to outputs: UInt16, after event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> UInt16 {
    var missed: UInt16 = 0
    var last = event
    var rest = outputs
    while rest != 0 {
      let output = rest.trailingZeroBitCount
      var copy = message
      copy.bytes.0 = message.bytes.0 & 0xF0 | UInt8(truncatingIfNeeded: output)
      if let added = list.insert(copy, after: last) {
        last = added
      } else {
        missed = missed.with(bit: output, true)
      }
      rest &= rest - 1
    }
    return missed
  }

  /// Puts the pedals of broken outputs up and ends their notes, as far as there is room.
  /// - Returns: the last event that was put in, nil for none.
  @_noLocks @_noAllocation
  mutating func mend(
    _ list: RenderEventList, at frame: FrameTime
  ) -> UnsafeMutablePointer<RenderEvent>? {
    endNotes(of: &broken, after: nil, at: frame, in: list)
  }

  /// Forgets the notes of outputs, which something else has ended.
  @_noLocks @_noAllocation
  mutating func forget(_ outputs: UInt16) {
    var ended: UInt16 = 0
    var output = 0
    while output < 16 {
      if outputs.has(bit: output) && heldCounts[output] > 0 {
        heldCounts[output] = 0
        ended = ended.with(bit: output, true)
      }
      output += 1
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
