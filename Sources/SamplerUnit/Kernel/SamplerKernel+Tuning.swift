// Master volume, and the pitch of channels and keys.

import FluidSynthPool

extension SamplerKernel {
  /// The factor after the gain: the master volume, or 0 while the unit is bypassed.
  var audibleTarget: Double {
    @_noLocks @_noAllocation get { isBypassed ? 0 : Double(channels.device.pointee.volume) }
  }

  /// Sets the master volume, squared as controller 7 is. Ramps only while something sounds: silence
  /// cannot click.
  /// - Parameter part: 0 to 1.
  @_noLocks @_noAllocation
  mutating func setMasterVolume(_ part: Float) {
    channels.device.pointee.volume = part * part
    if isAnythingSounding {
      audible.start(to: audibleTarget, overFrames: 0)
    } else {
      audible.set(immediately: audibleTarget)
    }
  }

  private var isAnythingSounding: Bool {
    @_noLocks @_noAllocation get {
      if ringing.count > 0 || effects.isSounding { return true }
      if let current { return current.pointee.isSounding }
      return false
    }
  }

  /// Pitch shift of a channel by SysEx, in whole semitones.
  @_noLocks @_noAllocation
  private func shift(_ channel: Int) -> Int32 {
    let sum = channels.device.pointee.coarseTuning &+ channels[channel].pointee.keyShift
    return max(-24, min(sum, 24))
  }

  /// Stores the pitch of a channel, and limits its bend accordingly.
  @_noLocks @_noAllocation
  private mutating func takePitch(_ channel: Int) {
    let bit: UInt16 = 1 << UInt16(truncatingIfNeeded: channel & 15)
    let part = channels[channel].pointee.rhythmPart
    settings.percussion = settings.percussion & ~bit | (part > 0 ? bit : 0)
    settings.melodic = settings.melodic & ~bit | (part == 0 ? bit : 0)
    let shift = shift(channel)
    settings.pitchCents[channel & 15] =
      basePitchCents + Float(shift) * 100
      + KeyTuning.wholeCents(channels.device.pointee.fineTuning)
    let bend = channels[channel].pointee.bearableBend
    channels[channel].pointee.rise = max(shift, 0)
    let bearable = channels[channel].pointee.bearableBend
    if bearable != bend { forEachPool(channel, .pitchBend, bearable, 0) }
  }

  /// Stores the pitch of all channels, by the unit's parameters and SysEx.
  @_noLocks @_noAllocation
  mutating func takePitches() {
    basePitchCents =
      100 * transpose + Float(1200 * Vouched.binaryLogarithm(Double(tuningHertz) / 440))
    var channel = 0
    while channel < 16 {
      takePitch(channel)
      channel &+= 1
    }
  }

  /// Applies the pitch of all channels to the synths. Not inlined, so that stack frames of SysEx
  /// stay small.
  @_noLocks @_noAllocation @inline(never)
  mutating func updatePitch(isForCurrentAlone: Bool = false) {
    takePitches()
    if let current { current.pointee.setPitch(settings, scratch) }
    if !isForCurrentAlone {
      var index = 0
      while index < ringing.count {
        ringing[index].pointee.setPitch(settings, scratch)
        index &+= 1
      }
    }
    retune(detunedChannels, isForCurrentAlone: isForCurrentAlone)
  }

  /// Shifts a channel by whole semitones. Not inlined, so that stack frames of SysEx stay small.
  @_noLocks @_noAllocation @inline(never)
  mutating func setKeyShift(_ channel: Int, _ semitones: Int32) {
    channels[channel].pointee.keyShift = semitones
    updatePitch(channel)
  }

  /// Applies the pitch of a channel to the synths.
  @_noLocks @_noAllocation @inline(never)
  mutating func updatePitch(_ channel: Int) {
    takePitch(channel)
    if let current { current.pointee.setPitch(settings, channel, scratch) }
    var index = 0
    while index < ringing.count {
      ringing[index].pointee.setPitch(settings, channel, scratch)
      index &+= 1
    }
    retune(detunedChannels & 1 &<< UInt16(truncatingIfNeeded: channel))
  }

  /// Shifts the frequency of every key of a channel.
  @_noLocks @_noAllocation
  mutating func setDetune(_ channel: Int, _ hertz: Float) {
    channels[channel].pointee.keys.detuneHertz = hertz
    retune(1 &<< UInt16(truncatingIfNeeded: channel))
  }

  /// Channels with a detuning: their keys move by other cents when the channel's pitch moves.
  private var detunedChannels: UInt16 {
    @_noLocks @_noAllocation get {
      var mask: UInt16 = 0
      var channel = 0
      while channel < 16 {
        if channels[channel].pointee.keys.detuneHertz != 0 {
          mask |= 1 &<< UInt16(truncatingIfNeeded: channel)
        }
        channel &+= 1
      }
      return mask
    }
  }

  /// The channels that play a stored tuning.
  @_noLocks @_noAllocation
  private func channels(tunedBy tuning: Int) -> UInt16 {
    var mask: UInt16 = 0
    var channel = 0
    while channel < 16 {
      if Int(channels[channel].pointee.keys.tuningIndex) == tuning {
        mask |= 1 &<< UInt16(truncatingIfNeeded: channel)
      }
      channel &+= 1
    }
    return mask
  }

  /// Retunes sounding notes of some channels to the current tuning of their keys.
  @_noLocks @_noAllocation
  private func retune(_ mask: UInt16, isForCurrentAlone: Bool = false) {
    if mask == 0 { return }
    if let current { current.pointee.retune(mask, channels, settings, scratch) }
    if isForCurrentAlone { return }
    var index = 0
    while index < ringing.count {
      ringing[index].pointee.retune(mask, channels, settings, scratch)
      index &+= 1
    }
  }

  // MARK: MIDI Tuning Standard

  /// Stores a tuning, changes notes of one, or tunes the octave of channels. Real-time messages
  /// retune sounding notes, the others later notes. Checksums of dumps are ignored: senders compute
  /// them in different ways.
  @_noLocks @_noAllocation
  mutating func playTuning(_ message: SystemExclusive) -> Bool {
    let count = message.count
    switch message[3] {
    case 1 where count == 406: return storeKeys(message, 21, bank: 0, program: message[4])
    case 4 where count == 407: return storeKeys(message, 22, bank: message[4], program: message[5])
    case 5 where count == 35, 6 where count == 47: return storeOctave(message)
    case 2 where count > 5 && count == 6 &+ 4 &* message[5]:
      return changeKeys(message, 6, bank: 0, program: message[4])
    case 7 where count > 6 && count == 7 &+ 4 &* message[6]:
      return changeKeys(message, 7, bank: message[4], program: message[5])
    case 8 where count == 19, 9 where count == 31:
      tuneOctaves(message)
      return true
    default: return false
    }
  }

  @_noLocks @_noAllocation
  private func tuning(_ bank: Int, _ program: Int) -> Int {
    channels.tunings.index(
      bank: UInt8(truncatingIfNeeded: bank), program: UInt8(truncatingIfNeeded: program))
  }

  /// Sets the pitch of a key by three bytes, a key and 16384ths of a semitone, unless they mean no
  /// change.
  @_noLocks @_noAllocation
  private func setPitch(_ tuning: Int, _ key: Int, _ message: SystemExclusive, _ index: Int) {
    let (semitones, fraction) = (message[index], message.word(index &+ 1))
    if semitones == 127 && fraction == 16_383 { return }
    channels.tunings.setPitch(
      tuning, key, Float(semitones) * 100 + Float(fraction) * (100 / 16_384))
  }

  @_noLocks @_noAllocation
  private func storeKeys(
    _ message: SystemExclusive, _ start: Int, bank: Int, program: Int
  ) -> Bool {
    let tuning = tuning(bank, program)
    if tuning < 0 { return false }
    var key = 0
    while key < 128 {
      setPitch(tuning, key, message, start &+ 3 &* key)
      key &+= 1
    }
    return true
  }

  @_noLocks @_noAllocation
  private func storeOctave(_ message: SystemExclusive) -> Bool {
    let tuning = tuning(message[4], message[5])
    if tuning < 0 { return false }
    var key = 0
    while key < 128 {
      let offset = octaveOffset(message, 22, key % 12, isFine: message[3] == 6)
      channels.tunings.setPitch(tuning, key, Float(key) * 100 + offset)
      key &+= 1
    }
    return true
  }

  @_noLocks @_noAllocation
  private func changeKeys(
    _ message: SystemExclusive, _ start: Int, bank: Int, program: Int
  ) -> Bool {
    let tuning = tuning(bank, program)
    if tuning < 0 { return false }
    var index = start
    while index &+ 3 < message.count {
      setPitch(tuning, message[index], message, index &+ 1)
      index &+= 4
    }
    if message.isRealTime { retune(channels(tunedBy: tuning)) }
    return true
  }

  @_noLocks @_noAllocation
  private func octaveOffset(
    _ message: SystemExclusive, _ start: Int, _ note: Int, isFine: Bool
  ) -> Float {
    isFine
      ? Float(message.word(start &+ 2 &* note) &- 8_192) * (100 / 8_192)
      : Float(message[start &+ note] &- 64)
  }

  @_noLocks @_noAllocation
  private func tuneOctaves(_ message: SystemExclusive) {
    var tuning = KeyTuning()
    var note = 0
    while note < 12 {
      tuning.octave[note] = octaveOffset(message, 7, note, isFine: message[3] == 9)
      if tuning.octave[note] != 0 { tuning.hasOctave = true }
      note &+= 1
    }
    let mask = (message[4] & 3) &<< 14 | message[5] &<< 7 | message[6]
    var channel = 0
    while channel < 16 {
      if mask &>> channel & 1 != 0 {
        tuning.bank = channels[channel].pointee.keys.bank
        tuning.detuneHertz = channels[channel].pointee.keys.detuneHertz
        channels[channel].pointee.keys = tuning
      }
      channel &+= 1
    }
    if message.isRealTime { retune(UInt16(truncatingIfNeeded: mask)) }
  }

  /// Executes registered parameters 3 and 4: the program and the bank of a channel's tuning.
  @_noLocks @_noAllocation
  func selectTuning(_ channel: Int, _ value: UInt8) {
    if channels[channel].pointee.controllers[100] == 4 {
      channels[channel].pointee.keys.bank = value
      return
    }
    let tuning = tuning(Int(channels[channel].pointee.keys.bank), Int(value))
    if tuning < 0 { return counters.countIgnored() }
    channels[channel].pointee.keys.tuningIndex = Int32(truncatingIfNeeded: tuning)
    channels[channel].pointee.keys.hasOctave = false
    retune(1 &<< UInt16(truncatingIfNeeded: channel))
  }
}
