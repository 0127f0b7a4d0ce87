// The pitch of single channels and keys.

extension SynthPool {
  /// Sets the offset of pitch on one channel.
  @_noLocks @_noAllocation
  package func setPitch(_ settings: SynthSettings, _ channel: Int, _ scratch: SamplerScratch) {
    var index = 0
    while index < count {
      if index > 0 && !synths[index].isSounding {
        synths[index].lacksSettings = true
      } else {
        synths[index].changePitch(settings, channel, scratch)
      }
      index &+= 1
    }
  }

  /// Gives the voices on some channels, a bit for each, the tuning of their keys.
  @_noLocks @_noAllocation
  package func retune(
    _ mask: UInt16, _ channels: ChannelStates, _ settings: SynthSettings, _ scratch: SamplerScratch
  ) {
    var index = 0
    while index < count {
      if synths[index].isSounding {
        synths[index].retune(mask, isOfHeldAlone: false, channels, settings, scratch)
      }
      index &+= 1
    }
  }

  /// Gives the held notes of a channel their tuning after an earlier note sounds again in mono
  /// mode.
  @_noLocks @_noAllocation
  package func retuneLast(
    _ channel: Int, _ channels: ChannelStates, _ settings: SynthSettings, _ scratch: SamplerScratch
  ) {
    let index = lastSynths[channel & 15]
    if index < 0 || !synths[index].isSounding { return }
    synths[index].retune(
      1 &<< UInt16(truncatingIfNeeded: channel), isOfHeldAlone: true, channels, settings, scratch)
  }
}

extension Synth {
  /// Gives voices the tuning of their keys.
  ///
  /// FluidSynth allocates memory for its own tunings, so each voice is tuned separately. Its
  /// generator of fine tuning is set before the first block in which it is heard.
  /// - Parameters:
  ///   - mask: a bit for each channel.
  ///   - isOfHeldAlone: whether to tune only voices whose key is down.
  ///   - key: tunes only voices of this key; −1 for all.
  @_noLocks @_noAllocation
  mutating func retune(
    _ mask: UInt16, isOfHeldAlone: Bool, key: Int = -1, _ channels: ChannelStates,
    _ settings: SynthSettings, _ scratch: SamplerScratch
  ) {
    if key < 0 { countRetuning(scratch) }
    let count = listVoices(scratch)
    var voiceIndex = 0
    while voiceIndex < count {
      let voice = Voice(scratch.voices[voiceIndex]!)
      voiceIndex &+= 1
      let (channel, own) = (Int(voice.channel), Int(voice.key))
      if channel > 15 || mask &>> UInt16(truncatingIfNeeded: channel) & 1 == 0 { continue }
      if (key >= 0 && own != key) || (isOfHeldAlone && !voice.isOn)
        || isPercussion(channel, settings)
      {
        continue
      }
      scratch.work.add(1)
      voice.setTuning(
        cents: channels[channel].pointee.keys.offset(
          ofKey: own, in: channels.tunings, transposition: settings.pitchCents[channel & 15]))
      if key >= 0 { queue.add(1) }
    }
  }
}
