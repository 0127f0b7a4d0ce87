// Channel messages, resets and settings for all synths of a pool.

import CFluidSynth

extension SynthPool {
  /// Sends a message to the first synth and to those that sound. The others get it before their
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
        // A message that it has received may have been replaced.
        synth.pointee.heardCount = min(synth.pointee.heardCount, number)
      } else {
        synth.pointee.send(message, scratch)
        synth.pointee.heardCount = messages.count
      }
      index &+= 1
    }
  }

  /// Forgets the keys that a message has ended on a channel. If it ends the mode of one note at a
  /// time, forgets all but the sounding key. None of them sounds again at the note-off of another.
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

  /// Sets the configured program, without sending it to the synths.
  @_noLocks @_noAllocation
  package func setConfigured(_ configured: ConfiguredProgram) {
    var index = 0
    while index < count {
      synths[index].configured = configured
      index &+= 1
    }
  }

  /// Plays another preset on all channels. Sounding notes continue.
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

  /// Restarts a pool on which nothing sounds.
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

  /// Sends the missed messages to a synth on which nothing sounds.
  @_noLocks @_noAllocation
  func catchUp(_ index: Int, _ scratch: SamplerScratch) {
    var number = synths[index].heardCount
    while number < messages.count {
      synths[index].send(messages[number], scratch)
      number &+= 1
    }
    synths[index].heardCount = messages.count
  }

  /// Sets the offset of pitch, also again after it was cleared.
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

  /// Resets the pool with its first synth: all sound ends, and the other synths catch up later.
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

  /// Ends all sound within this call: samples shared with other pools are released on this thread.
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
