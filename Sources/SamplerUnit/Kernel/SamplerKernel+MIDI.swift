// Execution of MIDI messages.

import FluidSynthPool
import Realtime
import UnitRender

extension SamplerKernel {
  /// Plays a short message. Without a SoundFont notes are ignored, and other messages stored.
  @_noLocks @_noAllocation
  mutating func play(_ event: RenderEvent) {
    let message = event.message
    if !message.isWhole(length: event.length) { return }
    let (channel, first) = (message.channel, message.number)
    let value = UInt8(truncatingIfNeeded: message.value)
    switch message.status & 0xF0 {
    case 0x80: noteOff(channel, first)
    case 0x90: noteOn(channel, first, velocity: value)
    case 0xA0:
      forEachPool(
        channel, .keyPressure, Int32(truncatingIfNeeded: first), Int32(value))
    case 0xB0: controller(channel, first, value)
    case 0xC0:
      channels[channel].pointee.program = Int16(truncatingIfNeeded: first)
      channels[channel].pointee.programBank =
        channels[channel].pointee.isSet[0]
        ? channels[channel].pointee.controllers[0] : ChannelState.configuredBank
      channels[channel].pointee.programBankFine =
        channels[channel].pointee.isSet[32]
        ? channels[channel].pointee.controllers[32] : ChannelState.configuredBank
      if let current {
        send(to: current, channel, .program, Int32(truncatingIfNeeded: first), 0)
      }
      hasNewPresets = true
    case 0xD0:
      channels[channel].pointee.pressure = UInt8(truncatingIfNeeded: first)
      forEachPool(channel, .channelPressure, Int32(truncatingIfNeeded: first), 0)
    case 0xE0:
      channels[channel].pointee.bend = UInt16(truncatingIfNeeded: message.bend)
      forEachPool(channel, .pitchBend, channels[channel].pointee.bearableBend, 0)
    default:
      if message.status == 0xFF { systemReset() }
    }
  }

  @_noLocks @_noAllocation
  private mutating func noteOn(_ channel: Int, _ key: Int, velocity: UInt8) {
    if velocity == 0 { return noteOff(channel, key) }
    guard let current else { return }
    // As within one synth, a key struck again ends its earlier note.
    var index = 0
    while index < ringing.count {
      let pool = ringing[index]
      if pool.pointee.held.removeAll(channel, key) { noteOff(on: pool, channel, key) }
      index &+= 1
    }
    current.pointee.held.add(channel, key)
    let isOnTime = current.pointee.noteOn(
      channel, key, velocity: Int(velocity), channels, settings, scratch)
    if !isOnTime { counters.countLateNote() }
  }

  /// Sends a note-off to the pool that holds the note, the newest of several.
  @_noLocks @_noAllocation
  private mutating func noteOff(_ channel: Int, _ key: Int) {
    guard let current else { return }
    if !current.pointee.held.remove(channel, key) {
      var index = ringing.count - 1
      while index >= 0 {
        let pool = ringing[index]
        if pool.pointee.held.remove(channel, key) { return noteOff(on: pool, channel, key) }
        index &-= 1
      }
    }
    noteOff(on: current, channel, key)
  }

  @_noLocks @_noAllocation
  private func noteOff(on pool: UnsafeMutablePointer<SynthPool>, _ channel: Int, _ key: Int) {
    scratch.work.add(SamplerWork.note / 2)
    let glides = channels[channel].pointee.glides
    pool.pointee.noteOff(channel, key, channels, settings, scratch)
    if glides && channels[channel].pointee.keys.isUnequal {
      pool.pointee.retuneLast(channel, channels, settings, scratch)
    }
  }

  @_noLocks @_noAllocation
  mutating func controller(
    _ channel: Int, _ number: Int, _ value: UInt8, isForCurrentAlone: Bool = false
  ) {
    var (number, value) = (number, value)
    // If it is for more channels than there are from this one on, it chooses no mode, as in
    // FluidSynth. It ends the notes, as every mode message does.
    if number == 126 && channel &+ Int(value) > 16 { number = 123 }
    if number == 6 {
      if channels[channel].pointee.selectsTuning { return selectTuning(channel, value) }
      let data = channels[channel].pointee.bearableData(value)
      if data < 0 { return }
      value = UInt8(truncatingIfNeeded: data)
      if channels[channel].pointee.selectsGenerator {
        // FluidSynth adds up successive numbers, and forgets them after each data entry.
        forEachPool(channel, .controller, 99, 120)
        forEachPool(channel, .controller, 98, Int32(channels[channel].pointee.controllers[98]))
      }
    }
    let bend = channels[channel].pointee.bearableBend
    channels[channel].pointee.setController(number, value)
    // Before the range, so that the bend never exceeds its limit.
    if number == 6 && channels[channel].pointee.bearableBend < bend {
      forEachPool(channel, .pitchBend, channels[channel].pointee.bearableBend, 0)
    }
    switch number {
    // Applies to the next note, on whichever pool.
    case 84: if let current { current.pointee.setPortamentoKey(Int(value), channel) }
    // Channels are separate: Omni Off and On end a channel's notes and change nothing else, and
    // Mono On is for one channel.
    case 124, 125: forEachPool(channel, .controller, 123, 0)
    case 126: forEachPool(channel, .controller, 126, 1)
    case _ where isForCurrentAlone:
      if let current { send(to: current, channel, .controller, Int32(number), Int32(value)) }
    default: forEachPool(channel, .controller, Int32(number), Int32(value))
    }
    if number == 6 && channels[channel].pointee.bearableBend > bend {
      forEachPool(channel, .pitchBend, channels[channel].pointee.bearableBend, 0)
    }
    // Reset All Controllers also resets generators, the pitch offset among them.
    if number == 121 {
      if let current {
        current.pointee.setPortamentoKey(-1, channel)
        current.pointee.setPitch(settings, scratch)
      }
      var index = 0
      while index < ringing.count {
        ringing[index].pointee.setPitch(settings, scratch)
        index &+= 1
      }
    }
  }

  @_noLocks @_noAllocation
  private mutating func systemReset() { afterReset(wasReset: false) }

  /// Restores the configured programs and the unit's parameters, and clears all other MIDI state.
  @_noLocks @_noAllocation
  mutating func afterReset(wasReset: Bool) {
    hasNewPresets = true
    channels.resetAll()
    takePitches()
    audible.set(immediately: audibleTarget)
    panUntouchedChannels()
    var index = 0
    while index < ringing.count {
      ringing[index].pointee.silence(scratch)
      index &+= 1
    }
    if let current { current.pointee.reset(channels, settings, wasReset: wasReset, scratch) }
  }

  @_noLocks @_noAllocation
  mutating func setRhythmPart(_ part: RhythmPart) {
    channels[part.channel].pointee.rhythmPart = part.value
    channels[part.channel].pointee.program = -1
    hasNewPresets = true
    if let current { send(to: current, part.channel, .rhythmPart, Int32(part.value), 0) }
    updatePitch(part.channel)
  }

  /// Sends a message that affects sounding notes to every sounding pool.
  @_noLocks @_noAllocation
  func forEachPool(
    _ channel: Int, _ message: ChannelMessage.Kind, _ first: Int32, _ second: Int32
  ) {
    if let current { send(to: current, channel, message, first, second) }
    var index = 0
    while index < ringing.count {
      send(to: ringing[index], channel, message, first, second)
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func send(
    to pool: UnsafeMutablePointer<SynthPool>, _ channel: Int, _ message: ChannelMessage.Kind,
    _ first: Int32, _ second: Int32
  ) {
    pool.pointee.send(
      ChannelMessage(
        kind: message, channel: Int32(truncatingIfNeeded: channel), first: first, second: second),
      scratch)
    if case .controller = message {
      pool.pointee.forgetKeys(channel, after: Int(truncatingIfNeeded: first), channels)
    }
  }
}
