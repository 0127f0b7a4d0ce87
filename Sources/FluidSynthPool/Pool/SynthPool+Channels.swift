// What all synths of a pool are told: channel messages, resets and settings.

import CFluidSynth

extension SynthPool {
  /// Sends a message to the first synth and to those that sound. The others hear of it before their
  /// next note.
  @_noLocks @_noAllocation
  package func send(_ message: ChannelMessage, _ scratch: SamplerScratch) {
    let number = messages.add(message)
    var index = 0
    while index < count {
      let synth = synths + index
      if synth.pointee.isStale {
        index &+= 1
        continue
      }
      if index > 0 && !synth.pointee.isSounding {
        // What it has heard may have been replaced.
        synth.pointee.heardCount = min(synth.pointee.heardCount, number)
      } else {
        synth.pointee.send(message, scratch)
        synth.pointee.heardCount = messages.count
      }
      index &+= 1
    }
  }

  /// Forgets the keys that a message has ended on a channel, or that the channel plays on as one of
  /// several: none of them sounds again at the note-off of another.
  /// - Parameter number: the controller, which the channel's state has already taken in.
  @_noLocks @_noAllocation
  package func forgetKeys(_ channel: Int, after number: Int, _ channels: ChannelStates) {
    switch number {
    case 120, 123...127: monoKeys.removeAll(channel)
    case 68, 121:
      if !channels[channel].pointee.playsOneNote { monoKeys.keepLast(channel) }
    default: break
    }
  }

  /// Sets what is configured, without a word to the synths.
  @_noLocks @_noAllocation
  package func setConfigured(_ configured: ConfiguredProgram) {
    var index = 0
    while index < count {
      synths[index].configured = configured
      index &+= 1
    }
  }

  /// Plays another preset on all channels. What sounds goes on.
  @_noLocks @_noAllocation
  package func select(_ configured: ConfiguredProgram, _ scratch: SamplerScratch) {
    setConfigured(configured)
    var channel: Int32 = 0
    while channel < 16 {
      let message = ChannelMessage(kind: .configured, channel: channel, first: 0, second: 0)
      send(message, scratch)
      channel &+= 1
    }
  }

  /// Begins anew on a pool where nothing sounds.
  @_noLocks @_noAllocation
  package mutating func renew(
    _ channels: ChannelStates, _ settings: SynthSettings,
    from previous: UnsafeMutablePointer<SynthPool>?, _ scratch: SamplerScratch
  ) {
    scratch.work.addReset()
    resetOthers(scratch)
    first.pointee.renew(channels)
    if let previous { first.pointee.copyGenerators(from: previous.pointee.first.pointee) }
    first.pointee.apply(settings)
    first.pointee.skipBlock(scratch)
  }

  /// Sends a synth where nothing sounds what it has not heard yet.
  @_noLocks @_noAllocation
  func catchUp(_ index: Int, _ scratch: SamplerScratch) {
    var number = synths[index].heardCount
    while number < messages.count {
      synths[index].send(messages[number], scratch)
      number &+= 1
    }
    synths[index].heardCount = messages.count
  }

  /// Sets the offset of pitch, again after what has cleared it.
  @_noLocks @_noAllocation
  package func setPitch(_ settings: SynthSettings, _ scratch: SamplerScratch) {
    change(settings, isPitchAlone: true, scratch)
  }

  @_noLocks @_noAllocation
  package func apply(_ settings: SynthSettings, _ scratch: SamplerScratch) {
    change(settings, isPitchAlone: false, scratch)
  }

  @_noLocks @_noAllocation
  private func change(_ settings: SynthSettings, isPitchAlone: Bool, _ scratch: SamplerScratch) {
    var index = 0
    while index < count {
      if index > 0 && !synths[index].isSounding {
        synths[index].lacksSettings = true
      } else {
        synths[index].change(settings, isPitchAlone: isPitchAlone, scratch)
      }
      index &+= 1
    }
  }

  /// At a reset of the first synth: all sound ends, and the others catch up later.
  @_noLocks @_noAllocation
  mutating func resetOthers(_ scratch: SamplerScratch) {
    endVoices(scratch)
    var index = 1
    while index < count {
      synths[index].isStale = true
      index &+= 1
    }
    forgetNotes()
    forgetGlides()
  }

  /// Ends all sound. No key sounds again at the note-off of another.
  @_noLocks @_noAllocation
  package mutating func silence(_ scratch: SamplerScratch) {
    endVoices(scratch)
    monoKeys.removeAll()
    forgetGlides()
  }

  /// Ends all sound within this call: samples that other pools use too are let go of on this
  /// thread.
  @_noLocks @_noAllocation
  package func endVoices(_ scratch: SamplerScratch) {
    var index = 0
    while index < count {
      if synths[index].isSounding { synths[index].end(scratch) }
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func forgetGlides() {
    var channel = 0
    while channel < 16 {
      lastSynths[channel & 15] = -1
      portamentoKeys[channel & 15] = -1
      channel &+= 1
    }
  }
}
