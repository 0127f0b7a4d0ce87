// The choice of a note's synth, and the note's effects on the other synths.

import CFluidSynth

extension SynthPool {
  /// Begins a note.
  ///
  /// FluidSynth performs the effects of a note-on within the note's synth; this function performs
  /// them on the others. The earlier note of its key ends, as with a note-off, and so do the notes
  /// in its exclusive class.
  /// - Returns: false if the note had to wait for a block to end.
  @_noLocks @_noAllocation
  package mutating func noteOn(
    _ channel: Int, _ key: Int, velocity: Int, _ channels: ChannelStates, _ settings: SynthSettings,
    _ scratch: SamplerScratch
  ) -> Bool {
    let glides = channels[channel].pointee.glides
    let index = choose(channel, key, glides: glides, channels, scratch)
    refresh(index, channels, settings, scratch)
    makeRoom(scratch)
    scratch.work.add(SamplerWork.note)
    let synth = synths + index
    let (number, note) = (Int32(truncatingIfNeeded: channel), Int32(truncatingIfNeeded: key))
    // In mono and legato mode FluidSynth adds up glides from keys that were not played, without
    // limit.
    let isMono = channels[channel].pointee.playsOneNote
    if isMono { portamentoKeys[channel & 15] = -1 }
    if portamentoKeys[channel & 15] >= 0 {
      Vouched.controller(
        synth.pointee.synth, number, number: 84,
        value: Int32(truncatingIfNeeded: portamentoKeys[channel & 15]))
      portamentoKeys[channel & 15] = -1
    }
    addWork(ofStriking: channel, key, on: synth, scratch)
    let strength = Int32(truncatingIfNeeded: velocity)
    let voices = synth.pointee.noteOn(
      number, key: note, velocity: strength, glides: glides, isMono: isMono, scratch)
    if channels[channel].pointee.keys.isUnequal {
      synth.pointee.retune(
        1 &<< UInt16(truncatingIfNeeded: channel), isOfHeldAlone: true, key: key, channels,
        settings, scratch)
    }
    steals.add(voices)
    largestNote = max(largestNote, min(voices, 48))
    let isOnTime = synth.pointee.position == 0
    if !synth.pointee.isSounding {
      forgetSends(index)
      synth.pointee.wakeOrRest()
    }
    takeSends(index, channel, key, channels, scratch)
    if isMono { endLast(channel, on: lastSynths[channel & 15], except: index, scratch) }
    lastSynths[channel & 15] = index
    if !isMono { monoKeys.removeAll(channel) }
    monoKeys.add(channel, key, velocity: velocity)
    strikeCount &+= 1
    strikes[channel &* 128 &+ key] = strikeCount
    // As within one synth, a key struck again ends its earlier note.
    end(channel, key, glides: glides, scratch, except: index)
    holders[channel &* 128 &+ key] |= 1 << UInt64(index)
    choke(index, number, note, scratch)
    return isOnTime
  }

  /// Adds the work of striking a key again: FluidSynth ends all its voices, also those already
  /// ended. They pile up if a key is struck more than once in 64 frames.
  @_noLocks @_noAllocation
  private func addWork(
    ofStriking channel: Int, _ key: Int, on synth: UnsafeMutablePointer<Synth>,
    _ scratch: SamplerScratch
  ) {
    let since = strikeCount &- strikes[channel &* 128 &+ key]
    if since >= strikeCount &- strikesBefore { return }
    let voices = synth.pointee.listVoices(scratch)
    var (voiceIndex, ended) = (0, 0)
    while voiceIndex < voices {
      let voice = Voice(scratch.voices[voiceIndex]!)
      if Int(voice.channel) == channel && Int(voice.key) == key { ended &+= 1 }
      voiceIndex &+= 1
    }
    scratch.work.add(ended / 2)
  }

  /// Ends a note on the synths that hold it. On a channel with one note at a time, the key struck
  /// before the sounding one sounds again instead, if it is still held.
  @_noLocks @_noAllocation
  package mutating func noteOff(
    _ channel: Int, _ key: Int, _ channels: ChannelStates, _ settings: SynthSettings,
    _ scratch: SamplerScratch
  ) {
    let state = channels[channel]
    let wasLast = monoKeys.last(channel) == key
    monoKeys.remove(channel, key)
    let earlier = monoKeys.last(channel)
    let index = lastSynths[channel & 15]
    let glides = state.pointee.glides
    if !wasLast || !state.pointee.playsOneNote || earlier < 0 || index < 0 {
      return end(channel, key, glides: glides, scratch)
    }
    let synth = synths + index
    if !synth.pointee.isSounding { refresh(index, channels, settings, scratch) }
    _ = synth.pointee.noteOn(
      Int32(truncatingIfNeeded: channel), key: Int32(truncatingIfNeeded: earlier),
      velocity: Int32(truncatingIfNeeded: monoKeys.velocity(channel, earlier)), glides: true,
      isMono: true, scratch)
    if !synth.pointee.isSounding {
      synth.pointee.wakeOrRest()
      if synth.pointee.isSounding { markPlaying(index, channel) }
    }
    holders[channel &* 128 &+ earlier] |= 1 << UInt64(index)
    end(channel, key, glides: glides, scratch)
  }

  /// Ends a key on the synths that hold it, and on the synth of the channel's last note.
  @_noLocks @_noAllocation
  private func end(
    _ channel: Int, _ key: Int, glides: Bool, _ scratch: SamplerScratch, except kept: Int = -1
  ) {
    var bits = holders[channel &* 128 &+ key]
    holders[channel &* 128 &+ key] = 0
    if lastSynths[channel & 15] >= 0 { bits |= 1 << UInt64(lastSynths[channel & 15]) }
    while bits != 0 {
      let index = bits.trailingZeroBitCount
      bits &= bits &- 1
      if index == kept { continue }
      synths[index].noteOff(
        Int32(truncatingIfNeeded: channel), key: Int32(truncatingIfNeeded: key), glides: glides,
        scratch)
    }
  }

  /// Ends the note of a channel that plays one at a time, and continues on another synth.
  @_noLocks @_noAllocation
  private func endLast(
    _ channel: Int, on index: Int, except kept: Int, _ scratch: SamplerScratch
  ) {
    if index < 0 || index == kept { return }
    let key = synths[index].listed[channel & 15]
    if key < 0 { return }
    synths[index].noteOff(
      Int32(truncatingIfNeeded: channel), key: Int32(key), glides: true, scratch)
  }

  /// Forgets which notes are held.
  @_noLocks @_noAllocation
  func forgetNotes() {
    var holder = 0
    while holder < 16 * 128 {
      holders[holder] = 0
      holder &+= 1
    }
    held.removeAll()
    monoKeys.removeAll()
  }

  /// Chooses a note's synth. The notes of a channel that glides, or plays one at a time, stay on
  /// one synth: it knows the note before. So does a key that is struck again while the sostenuto
  /// pedal holds it, since the pedal keeps holding it.
  @_noLocks @_noAllocation
  private func choose(
    _ channel: Int, _ key: Int, glides: Bool, _ channels: ChannelStates, _ scratch: SamplerScratch
  ) -> Int {
    let start = portamentoKeys[channel & 15]
    if start >= 0 && holders[channel &* 128 &+ start] != 0 {
      return holders[channel &* 128 &+ start].trailingZeroBitCount
    }
    if glides && lastSynths[channel & 15] >= 0 {
      let last = synths[lastSynths[channel & 15]]
      if !last.isSounding || hasRoom(last) { return lastSynths[channel & 15] }
    }
    if channels[channel].pointee.controllers[66] >= 64 {
      let holder = synthWithSostenuto(channel, key, scratch)
      if holder >= 0 { return holder }
    }
    let reserved = synthsOfGlidingChannels(channels)
    // Catching up takes time; beyond a few synths in 64 frames the note takes another one, and is
    // late.
    let hasTime = scratch.work.isSlack
    var (idle, idleReserved, behind, full, soonest, position) = (-1, -1, -1, -1, -1, -1)
    var index = 0
    while index < count {
      let synth = synths + index
      if !synth.pointee.isSounding {
        let isReserved = reserved >> UInt64(index) & 1 != 0
        if index > 0 && isBehind(index) {
          if behind < 0 { behind = index }
        } else if isReserved {
          if idleReserved < 0 { idleReserved = index }
        } else if idle < 0 {
          idle = index
        }
      } else if !hasRoom(synth.pointee) {
        full = index
      } else if synth.pointee.position == 0 {
        return index
      } else if synth.pointee.position > position {
        (soonest, position) = (index, synth.pointee.position)
      }
      index &+= 1
    }
    if idle >= 0 { return idle }
    if behind >= 0 && hasTime { return behind }
    if idleReserved >= 0 { return idleReserved }
    return soonest >= 0 ? soonest : behind >= 0 ? behind : max(full, 0)
  }

  @_noLocks @_noAllocation
  private func synthsOfGlidingChannels(_ channels: ChannelStates) -> UInt64 {
    var bits: UInt64 = 0
    var channel = 0
    while channel < 16 {
      if channels[channel].pointee.glides && lastSynths[channel & 15] >= 0 {
        bits |= 1 << UInt64(lastSynths[channel & 15])
      }
      channel &+= 1
    }
    return bits
  }

  /// The synth on which the sostenuto pedal holds a key; −1 for none.
  @_noLocks @_noAllocation
  private func synthWithSostenuto(_ channel: Int, _ key: Int, _ scratch: SamplerScratch) -> Int {
    var index = 0
    while index < count {
      let voices = synths[index].isSounding ? synths[index].listVoices(scratch) : 0
      var voiceIndex = 0
      while voiceIndex < voices {
        let voice = Voice(scratch.voices[voiceIndex]!)
        if Int(voice.channel) == channel && Int(voice.key) == key && voice.isSostenuto {
          return index
        }
        voiceIndex &+= 1
      }
      index &+= 1
    }
    return -1
  }

  /// Ends the notes on the other synths in the exclusive classes of a note that has just begun.
  @_noLocks @_noAllocation
  private func choke(_ own: Int, _ channel: Int32, _ key: Int32, _ scratch: SamplerScratch) {
    var classes = InlineArray<4, Int32>(repeating: 0)
    var classCount = -1
    var index = 0
    while index < count {
      if index != own && synths[index].isSounding {
        if classCount < 0 { classCount = findClasses(own, channel, key, &classes, scratch) }
        if classCount == 0 { return }
        choke(on: index, channel, classes, classCount, scratch)
      }
      index &+= 1
    }
  }

  /// The exclusive classes of a note that has just begun.
  @_noLocks @_noAllocation
  private func findClasses(
    _ index: Int, _ channel: Int32, _ key: Int32, _ classes: inout InlineArray<4, Int32>,
    _ scratch: SamplerScratch
  ) -> Int {
    let voices = synths[index].listVoices(scratch)
    var count = 0
    var voiceIndex = 0
    while voiceIndex < voices {
      let voice = Voice(scratch.voices[voiceIndex]!)
      voiceIndex &+= 1
      let number = voice.exclusiveClass
      if number == 0 || count == 4 || voice.channel != channel || voice.key != key || !voice.isOn {
        continue
      }
      var known = 0
      while known < count && classes[known] != number { known &+= 1 }
      if known == count {
        classes[count] = number
        count &+= 1
      }
    }
    return count
  }

  @_noLocks @_noAllocation
  private func choke(
    on index: Int, _ channel: Int32, _ classes: InlineArray<4, Int32>, _ classCount: Int,
    _ scratch: SamplerScratch
  ) {
    let voices = synths[index].listVoices(scratch)
    var isShared = InlineArray<4, Bool>(repeating: false)
    var voiceIndex = 0
    while voiceIndex < voices {
      let voice = Voice(scratch.voices[voiceIndex]!)
      voiceIndex &+= 1
      if voice.channel != channel { continue }
      let number = voice.exclusiveClass
      var known = 0
      while known < classCount {
        if classes[known] == number { isShared[known] = true }
        known &+= 1
      }
    }
    var known = 0
    while known < classCount {
      if isShared[known] {
        synths[index].choke(channel, exclusiveClass: classes[known], scratch)
      }
      known &+= 1
    }
  }
}
