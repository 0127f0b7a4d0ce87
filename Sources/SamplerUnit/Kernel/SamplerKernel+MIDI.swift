// What each MIDI message does.

import Realtime
import UnitRender

extension SamplerKernel {
  /// Plays a short message. Without a SoundFont notes are nothing, and the rest is remembered.
  @_noLocks @_noAllocation
  mutating func play(_ event: RenderEvent) {
    let (status, first, second, _) = event.bytes
    if (first | second) & 0x80 != 0 || MIDIMessage.length(ofStatus: status) != Int(event.length) {
      return
    }
    let channel = Int(status & 0x0F)
    let number = Int32(channel)
    switch status & 0xF0 {
    case 0x80: noteOff(channel, Int(first))
    case 0x90: noteOn(channel, Int(first), velocity: second)
    case 0xA0:
      forEachSynth(number, .keyPressure, Int32(first), Int32(second))
    case 0xB0: controller(channel, Int(first), second)
    case 0xC0:
      channels[channel].pointee.program = Int16(first)
      channels[channel].pointee.programBank = channels[channel].pointee.controllers[0]
      if let current { current.pointee.programChange(number, Int32(first)) }
    case 0xD0:
      channels[channel].pointee.pressure = first
      forEachSynth(number, .channelPressure, Int32(first), 0)
    case 0xE0:
      let bend = UInt16(second) << 7 | UInt16(first)
      channels[channel].pointee.bend = bend
      forEachSynth(number, .pitchBend, Int32(bend), 0)
    default:
      if status == 0xFF { systemReset() }
    }
  }

  @_noLocks @_noAllocation
  private mutating func noteOn(_ channel: Int, _ key: Int, velocity: UInt8) {
    if velocity == 0 { return noteOff(channel, key) }
    guard let current else { return }
    // As within one synth, a key struck again ends its earlier note.
    if let outgoing, heldByOutgoing.removeAll(channel, key) {
      Vouched.noteOff(outgoing.pointee.synth, Int32(channel), key: Int32(key))
    }
    held.add(channel, key)
    Vouched.noteOn(
      current.pointee.synth, Int32(channel), key: Int32(key), velocity: Int32(velocity))
  }

  /// The note-off goes to the synth that holds the note.
  @_noLocks @_noAllocation
  private mutating func noteOff(_ channel: Int, _ key: Int) {
    guard let current else { return }
    var synth = current
    if !held.remove(channel, key), let outgoing, heldByOutgoing.remove(channel, key) {
      synth = outgoing
    }
    Vouched.noteOff(synth.pointee.synth, Int32(channel), key: Int32(key))
  }

  @_noLocks @_noAllocation
  mutating func controller(_ channel: Int, _ number: Int, _ value: UInt8) {
    var value = value
    if number == 6 {
      let data = channels[channel].pointee.bearableData(value)
      if data < 0 { return }
      value = UInt8(truncatingIfNeeded: data)
    }
    channels[channel].pointee.setController(number, value)
    if number == 120 || number >= 123 {
      held.removeAll(channel)
      heldByOutgoing.removeAll(channel)
    }
    switch number {
    // Every channel is on its own: Omni Off and On end its notes and change nothing else, and Mono On
    // is for one channel.
    case 124, 125: forEachSynth(Int32(channel), .controller, 123, 0)
    case 126: forEachSynth(Int32(channel), .controller, 126, 1)
    default: forEachSynth(Int32(channel), .controller, Int32(number), Int32(value))
    }
    // Reset All Controllers also resets generators, the pitch offset among them.
    if number == 121 {
      if let current { current.pointee.setPitch(settings.pitchCents) }
      if let outgoing { outgoing.pointee.setPitch(settings.pitchCents) }
    }
  }

  @_noLocks @_noAllocation
  private mutating func systemReset() {
    if let current { Vouched.systemReset(current.pointee.synth) }
    afterReset()
  }

  /// Configured programs and the unit's parameters hold again; all that MIDI had set is gone.
  @_noLocks @_noAllocation
  private mutating func afterReset() {
    held.removeAll()
    heldByOutgoing.removeAll()
    channels.resetAll()
    panUntouchedChannels()
    if let outgoing { Vouched.allSoundsOff(outgoing.pointee.synth) }
    if let current {
      current.pointee.apply(channels)
      current.pointee.apply(settings)
    }
  }

  /// Plays a SysEx: the messages that choose GM, GM2, GS or XG, with its way to select banks, and reset. MIDI tuning is left out and
  /// counted: FluidSynth allocates for it.
  @_noLocks @_noAllocation
  mutating func playSystemExclusive(_ bytes: UnsafePointer<UInt8>, count: Int) {
    guard let current, count > 2 else { return }
    let isUniversal = bytes[1] == 0x7E || bytes[1] == 0x7F
    if isUniversal && count > 4 && bytes[3] == 0x08 {
      counters.countIgnoredTuning()
      return
    }
    Vouched.systemExclusive(current.pointee.synth, bytes + 1, count: count - 2)
    if current.pointee.wasReset {
      channels.standard.take(bytes + 1, count: count - 2)
      afterReset()
    }
  }

  enum ChannelMessage: BitwiseCopyable {
    case controller
    case keyPressure
    case channelPressure
    case pitchBend
  }

  /// Sends a message that changes what sounds to every synth that sounds.
  @_noLocks @_noAllocation
  private func forEachSynth(
    _ channel: Int32, _ message: ChannelMessage, _ first: Int32, _ second: Int32
  ) {
    if let current { send(to: current, channel, message, first, second) }
    if let outgoing { send(to: outgoing, channel, message, first, second) }
  }

  @_noLocks @_noAllocation
  private func send(
    to synth: UnsafeMutablePointer<Synth>, _ channel: Int32, _ message: ChannelMessage,
    _ first: Int32, _ second: Int32
  ) {
    let handle = synth.pointee.synth
    if synth.pointee.queue.isFull(handle, channel, scratch.voices) {
      Vouched.render(handle, Synth.blockFrames, scratch.left, scratch.right)
      synth.pointee.queue = MixerQueue()
      counters.countSkippedBlock()
    }
    switch message {
    case .controller: Vouched.controller(handle, channel, number: first, value: second)
    case .keyPressure: Vouched.keyPressure(handle, channel, key: first, value: second)
    case .channelPressure: Vouched.channelPressure(handle, channel, value: first)
    case .pitchBend: Vouched.pitchBend(handle, channel, value: first)
    }
  }
}
