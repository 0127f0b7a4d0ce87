// One FluidSynth of a pool with the SoundFonts it plays, for the render thread.

import CFluidSynth

/// A synth and its configuration. It is in the memory of its pool.
struct Synth: BitwiseCopyable {
  /// The largest number of voices that may sound at once.
  static var maximumPolyphony: Int { @_noLocks @_noAllocation get { 512 } }
  /// The number of voices that the first synth of a pool has above its limit. Voices that fade out
  /// do not count, and FluidSynth must never run short of voices. It would end others at once, with
  /// a click, and more of them in one block than it can keep account of.
  static var spareVoices: Int { @_noLocks @_noAllocation get { 128 } }
  /// The largest number of voices that a synth is made for.
  static var mostVoices: Int { @_noLocks @_noAllocation get { maximumPolyphony + spareVoices } }
  static var blockFrames: Int { @_noLocks @_noAllocation get { SynthBlock.frames } }

  let synth: OpaquePointer
  /// The number of voices that it was made for.
  let voiceCapacity: Int
  /// The program of channels on which MIDI has chosen none.
  var configured: ConfiguredProgram
  /// Whether programs chosen by MIDI stay when this synth takes over.
  let keepsPrograms: Bool
  let silentNote: SilentNote
  /// The largest number of the fonts' modulators that one message may reach in a voice.
  let modulators: Int
  /// The number of presets of its fonts together.
  let presets: Int
  /// The channels that play the font's kit, a bit for each.
  let drumChannels: UInt16
  /// Whether bank selects are read as in GS until a reset chooses another standard.
  let beginsAsGS: Bool
  var queue = MixerQueue()
  /// The channels, as bits, that have received All Sound Off since the last block.
  var silenced: UInt16 = 0
  /// The channels, as bits, whose program has changed while notes of the earlier one may be held.
  var reprogrammed: UInt16 = 0
  /// The key in FluidSynth's list of each channel, which keeps one at most; −1 for none.
  var listed = InlineArray<16, Int8>(repeating: -1)
  /// The number of frames of its current block that were handed out; 0 if the next block begins.
  /// FluidSynth itself is always at the end of a block.
  var position = 0
  /// Whether it is rendered. Otherwise it is at the start of a block, whenever that will begin.
  var isSounding = false
  /// Whether it has missed a reset, and all messages after it.
  var isStale = false
  /// The number of the first channel message that it has not received.
  var heardCount = 0
  /// Whether it has missed a change of the unit's settings.
  var lacksSettings = false

  init(
    _ synth: OpaquePointer, voiceCapacity: Int, silentNote: SilentNote,
    modulators: Int, presets: Int, channels: SamplerChannelSetup, configured: ConfiguredProgram,
    keepsPrograms: Bool
  ) {
    self.synth = synth
    self.voiceCapacity = voiceCapacity
    self.silentNote = silentNote
    self.modulators = modulators
    self.presets = presets
    drumChannels = channels.drumMask
    beginsAsGS = channels.bankSelect == .gs
    self.configured = configured
    self.keepsPrograms = keepsPrograms
  }

  /// Whether a channel is configured for percussion, which keeps its pitch, and takes its programs
  /// from bank 128.
  @_noLocks @_noAllocation
  func isPercussion(_ channel: Int) -> Bool {
    configured.bank == 128
      || (drumChannels >> UInt16(truncatingIfNeeded: channel) & 1 != 0 && configured.kitFontID >= 0)
  }

  /// Whether a channel is one of percussion: by MIDI, otherwise by the configuration.
  @_noLocks @_noAllocation
  func isPercussion(_ channel: Int, _ settings: SynthSettings) -> Bool {
    let bit = UInt16(truncatingIfNeeded: channel & 15)
    if settings.percussion >> bit & 1 != 0 { return true }
    return settings.melodic >> bit & 1 == 0 && isPercussion(channel)
  }

  /// Sets the offset of pitch on a channel. It has a separate generator, which neither the bend nor
  /// the registered parameters change.
  @_noLocks @_noAllocation
  func setPitch(_ settings: SynthSettings, _ channel: Int) {
    let number = Int32(truncatingIfNeeded: channel)
    let cents = isPercussion(channel, settings) ? 0 : settings.pitchCents[channel & 15]
    // Setting it is a walk over all slots for voices.
    if Vouched.generator(synth, number, Int32(GEN_PITCH.rawValue)) != cents {
      Vouched.setGenerator(synth, number, Int32(GEN_PITCH.rawValue), cents)
    }
  }

  @_noLocks @_noAllocation
  func apply(_ settings: SynthSettings) {
    Vouched.setInterpolation(synth, settings.interpolation)
    setPitch(settings)
  }

  @_noLocks @_noAllocation
  func setPitch(_ settings: SynthSettings) {
    var channel = 0
    while channel < 16 {
      setPitch(settings, channel)
      channel &+= 1
    }
    Vouched.setGenerator(synth, 15, Self.resetMark, 1)
  }

  /// A generator without meaning. A reset clears it, so that a SysEx is recognised as a reset.
  private static var resetMark: Int32 {
    @_noLocks @_noAllocation get { Int32(GEN_UNUSED2.rawValue) }
  }

  /// Whether the synth was reset since `setPitch`.
  var wasReset: Bool {
    @_noLocks @_noAllocation get { Vouched.generator(synth, 15, Self.resetMark) == 0 }
  }

  /// Resets a synth and brings it to the state of the channels. Its sound ends with the next block.
  /// - Parameter wasReset: whether the message that chose the standard has just been played on it.
  @_noLocks @_noAllocation
  mutating func renew(_ channels: ChannelStates, wasReset: Bool = false) {
    listed = InlineArray(repeating: -1)
    // A message that chooses a standard resets too.
    if !wasReset && channels.standard.count == 0 { Vouched.systemReset(synth) }
    apply(channels, wasReset: wasReset)
  }

  /// Brings a fresh, or reset, synth to the state of the channels.
  @_noLocks @_noAllocation
  func apply(_ channels: ChannelStates, wasReset: Bool = false) {
    let standard = channels.standard
    if !wasReset && standard.count > 0 {
      Vouched.systemExclusive(synth, standard.bytes, count: standard.count)
    }
    Vouched.separateChannels(synth)
    Vouched.select(
      synth, SilentNote.channel, isPercussion: false, font: silentNote.fontID,
      bank: SilentNote.bank, program: 0)
    var channel = 0
    while channel < 16 {
      apply(channels, channel)
      channel &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func apply(_ channels: ChannelStates, _ channel: Int) {
    let number = Int32(channel)
    if configured.fontID >= 0 { applyProgram(channels, channel) }
    applyRegistered(channels, channel)
    applyControllers(channels, channel)
    // Each is a walk over all slots for voices, and a reset has set the defaults.
    let (bend, pressure) = (
      channels[channel].pointee.bearableBend, Int32(channels[channel].pointee.pressure)
    )
    if bend != 8192 { Vouched.pitchBend(synth, number, value: bend) }
    if pressure != 0 { Vouched.channelPressure(synth, number, value: pressure) }
    if channels[channel].pointee.isMono { controller(number, 126, 1) }
  }

  @_noLocks @_noAllocation
  private func applyProgram(_ channels: ChannelStates, _ channel: Int) {
    let number = Int32(channel)
    selectConfigured(number)
    let rhythmPart = channels[channel].pointee.rhythmPart
    if rhythmPart >= 0 { setRhythmPart(number, Int32(rhythmPart)) }
    if channels[channel].pointee.program >= 0 {
      let (coarse, fine) = (
        channels[channel].pointee.programBank, channels[channel].pointee.programBankFine
      )
      if coarse != ChannelState.configuredBank { controller(number, 0, Int32(coarse)) }
      if fine != ChannelState.configuredBank { controller(number, 32, Int32(fine)) }
      programChange(number, Int32(channels[channel].pointee.program))
    }
  }

  /// Selects the configured program.
  @_noLocks @_noAllocation
  func selectConfigured(_ channel: Int32) {
    if configured.fontID < 0 { return }
    let isPercussion = isPercussion(Int(channel))
    let isKit = configured.bank != 128 && isPercussion
    Vouched.select(
      synth, channel, isPercussion: isPercussion,
      font: isKit ? configured.kitFontID : configured.fontID,
      bank: isKit ? 128 : configured.bank,
      program: isKit ? configured.kitProgram : configured.program)
  }

  /// GS "use for rhythm part": 0 makes a channel one of notes, 1 and 2 one of percussion.
  @_noLocks @_noAllocation
  func setRhythmPart(_ channel: Int32, _ value: Int32) {
    Vouched.setChannelType(synth, channel, isPercussion: value != 0)
    programChange(channel, 0)
  }

  /// Chooses another program of the fonts.
  @_noLocks @_noAllocation
  func programChange(_ channel: Int32, _ program: Int32) {
    if configured.fontID < 0 { return }
    Vouched.programChange(synth, channel, program: program)
    Vouched.ensurePreset(synth, channel, silentNote)
  }

  /// Plays a SysEx, which may make a channel one for percussion.
  @_noLocks @_noAllocation
  func systemExclusive(_ bytes: UnsafePointer<UInt8>, count: Int) {
    Vouched.systemExclusive(synth, bytes, count: count)
    var channel: Int32 = 0
    while channel < 16 {
      Vouched.ensurePreset(synth, channel, silentNote)
      channel &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func applyRegistered(_ channels: ChannelStates, _ channel: Int) {
    let number = Int32(channel)
    var index = 0
    while index < 6 {
      let value = Int32(channels[channel].pointee.registered[index])
      if value >= 0 {
        controller(number, 101, 0)
        controller(number, 100, Int32(index))
        controller(number, 38, value & 127)
        controller(number, 6, value >> 7)
      }
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func applyControllers(_ channels: ChannelStates, _ channel: Int) {
    var index = 0
    while index < 120 {
      switch index {
      case 6, 84, 96...101: break  // they act when they arrive, and did so already
      default: applyController(channels, channel, index)
      }
      index &+= 1
    }
    // The kind of parameter that was selected last is selected last again.
    let isNonRegistered = channels[channel].pointee.isNonRegistered
    applyController(channels, channel, isNonRegistered ? 101 : 99)
    applyController(channels, channel, isNonRegistered ? 100 : 98)
    applyController(channels, channel, isNonRegistered ? 99 : 101)
    applyController(channels, channel, isNonRegistered ? 98 : 100)
  }

  @_noLocks @_noAllocation
  private func applyController(_ channels: ChannelStates, _ channel: Int, _ index: Int) {
    if channels[channel].pointee.isSet[index] {
      controller(Int32(channel), Int32(index), Int32(channels[channel].pointee.controllers[index]))
    }
  }

  @_noLocks @_noAllocation
  private func controller(_ channel: Int32, _ number: Int32, _ value: Int32) {
    Vouched.controller(synth, channel, number: number, value: value)
  }

  /// Copies the generators that non-registered parameters have set on another synth.
  @_noLocks @_noAllocation
  func copyGenerators(from other: Synth) {
    var channel: Int32 = 0
    while channel < 16 {
      var number: Int32 = 0
      while number < Int32(GEN_PITCH.rawValue) {
        let value = Vouched.generator(other.synth, channel, number)
        if value != 0 { Vouched.setGenerator(synth, channel, number, value) }
        number &+= 1
      }
      channel &+= 1
    }
  }
}
