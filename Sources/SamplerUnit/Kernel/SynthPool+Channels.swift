// What all synths of a pool are told: channel messages, resets and settings.

import CFluidSynth

extension SynthPool {
  /// Sends a message to the first synth and to those that sound. The others hear of it before their next note.
  ///
  /// - Returns: how many blocks were thrown away to make room in queues.
  @_noLocks @_noAllocation
  func send(_ message: ChannelMessage, _ scratch: SamplerScratch) -> Int {
    let number = messages.add(message)
    var skipped = 0
    var index = 0
    while index < count {
      let synth = synths + index
      if synth.pointee.isStale {
        index += 1
        continue
      }
      if index > 0 && !synth.pointee.isSounding {
        // What it has heard may have been replaced.
        synth.pointee.heardCount = min(synth.pointee.heardCount, number)
      } else {
        if synth.pointee.isSounding && synth.pointee.isQueueFull(message.channel, scratch) {
          synth.pointee.skipBlock(scratch)
          skipped += 1
        }
        synth.pointee.send(message)
        synth.pointee.heardCount = messages.count
      }
      index += 1
    }
    return skipped
  }

  /// Sets what is configured, without a word to the synths.
  @_noLocks @_noAllocation
  func setConfigured(_ configured: ConfiguredProgram) {
    var index = 0
    while index < count {
      synths[index].configured = configured
      index += 1
    }
  }

  /// Plays another preset on all channels. What sounds goes on.
  @_noLocks @_noAllocation
  func select(_ configured: ConfiguredProgram, _ scratch: SamplerScratch) {
    setConfigured(configured)
    var channel: Int32 = 0
    while channel < 16 {
      let message = ChannelMessage(kind: .configured, channel: channel, first: 0, second: 0)
      // It changes no voice, so no queue fills.
      _ = send(message, scratch)
      channel += 1
    }
  }

  /// Begins anew on a pool where nothing sounds.
  @_noLocks @_noAllocation
  mutating func renew(
    _ channels: ChannelStates, _ settings: SynthSettings,
    from previous: UnsafeMutablePointer<SynthPool>?, _ scratch: SamplerScratch
  ) {
    Vouched.systemReset(first.pointee.synth)
    resetOthers()
    first.pointee.apply(channels)
    if let previous { first.pointee.copyGenerators(from: previous.pointee.first.pointee) }
    first.pointee.apply(settings)
    first.pointee.skipBlock(scratch)
  }

  /// Sends a synth where nothing sounds what it has not heard yet.
  @_noLocks @_noAllocation
  func catchUp(_ index: Int) {
    var number = synths[index].heardCount
    while number < messages.count {
      synths[index].send(messages[number])
      number += 1
    }
    synths[index].heardCount = messages.count
  }

  /// Sets the offset of pitch, again after what has cleared it.
  @_noLocks @_noAllocation
  func setPitch(_ settings: SynthSettings) { change(settings, isPitchAlone: true) }

  @_noLocks @_noAllocation
  func apply(_ settings: SynthSettings) { change(settings, isPitchAlone: false) }

  @_noLocks @_noAllocation
  private func change(_ settings: SynthSettings, isPitchAlone: Bool) {
    var index = 0
    while index < count {
      if index > 0 && !synths[index].isSounding {
        synths[index].lacksSettings = true
      } else if isPitchAlone {
        synths[index].setPitch(settings.pitchCents)
      } else {
        synths[index].apply(settings)
      }
      index += 1
    }
  }

  /// After a reset of the first synth: the sound of the others ends, and they catch up later.
  @_noLocks @_noAllocation
  mutating func resetOthers() {
    silence(from: 1)
    var index = 1
    while index < count {
      synths[index].isStale = true
      index += 1
    }
    forgetAll()
  }

  /// Ends all sound.
  @_noLocks @_noAllocation
  mutating func silence() {
    silence(from: 0)
    forgetAll()
  }

  /// Ends all sound within this call: samples that other pools use too are let go of on this thread.
  @_noLocks @_noAllocation
  func endVoices(_ scratch: SamplerScratch) {
    var index = 0
    while index < count {
      if synths[index].isSounding { synths[index].end(scratch) }
      index += 1
    }
  }

  @_noLocks @_noAllocation
  private func silence(from start: Int) {
    var index = start
    while index < count {
      if synths[index].isSounding { Vouched.allSoundsOff(synths[index].synth) }
      index += 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func forgetAll() {
    var channel = 0
    while channel < 16 {
      forgetNotes(channel)
      lastSynths[channel] = -1
      portamentoKeys[channel] = -1
      channel += 1
    }
  }

  /// Sends a SysEx that is no reset, such as which channels are for percussion, to the other synths.
  @_noLocks @_noAllocation
  func sendToOthers(
    _ bytes: UnsafePointer<UInt8>, count length: Int, _ channels: ChannelStates,
    _ settings: SynthSettings, _ scratch: SamplerScratch
  ) {
    var index = 1
    while index < count {
      refresh(index, channels, settings, scratch)
      Vouched.systemExclusive(synths[index].synth, bytes, count: length)
      index += 1
    }
  }
}

extension Synth {
  @_noLocks @_noAllocation
  fileprivate mutating func isQueueFull(_ channel: Int32, _ scratch: SamplerScratch) -> Bool {
    queue.isFull(synth, voiceCapacity: voiceCapacity, channel, scratch.voices)
  }

  @_noLocks @_noAllocation
  fileprivate func send(_ message: ChannelMessage) {
    let (channel, first, second) = (message.channel, message.first, message.second)
    switch message.kind {
    case .controller: Vouched.controller(synth, channel, number: first, value: second)
    case .keyPressure: Vouched.keyPressure(synth, channel, key: first, value: second)
    case .channelPressure: Vouched.channelPressure(synth, channel, value: first)
    case .pitchBend: Vouched.pitchBend(synth, channel, value: first)
    case .program: programChange(channel, first)
    case .configured: selectConfigured(channel)
    }
  }
}
