// The calls into C that rendering makes.
//
// FluidSynth: with `synth.threadsafe-api` off no call takes a lock. With reverb and chorus off and
// `synth.dynamic-sample-loading` off none of those below allocates. Voices, channels and the queue
// to the mixer are made with the synth, and its polyphony is set on the control side. MIDI tuning,
// by SysEx or registered parameters, would allocate and is kept away from it: voices are tuned one
// by one. Checked by running the sampler's tests, with program changes, resets, floods, swaps of
// SoundFonts, effects and all output layouts, under RealtimeSanitizer. FluidSynth's messages are
// formatted on the stack and counted by our log function, which neither locks nor allocates there.

import CFluidSynth
import Glibc

enum Vouched {
  @_semantics("no_performance_analysis") @inline(never)
  static func noteOn(_ synth: OpaquePointer, _ channel: Int32, key: Int32, velocity: Int32) {
    fluid_synth_noteon(synth, channel, key, velocity)
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func noteOff(_ synth: OpaquePointer, _ channel: Int32, key: Int32) {
    fluid_synth_noteoff(synth, channel, key)
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func controller(
    _ synth: OpaquePointer, _ channel: Int32, number: Int32, value: Int32
  ) {
    fluid_synth_cc(synth, channel, number, value)
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func programChange(_ synth: OpaquePointer, _ channel: Int32, program: Int32) {
    fluid_synth_program_change(synth, channel, program)
  }

  /// Gives each channel its own mode. Otherwise, as FluidSynth starts, a mode message on channel 1
  /// would switch off the other fifteen.
  @_semantics("no_performance_analysis") @inline(never)
  static func separateChannels(_ synth: OpaquePointer) {
    fluid_synth_reset_basic_channel(synth, -1)
    var channel: Int32 = 0
    while channel <= SilentNote.channel {
      fluid_synth_set_basic_channel(
        synth, channel, Int32(FLUID_CHANNEL_MODE_OMNIOFF_POLY.rawValue), 1)
      channel &+= 1
    }
  }

  /// The address of the preset that a channel plays; 0 for none. The call only reads the channel.
  @_semantics("no_performance_analysis") @inline(never)
  static func preset(_ synth: OpaquePointer, _ channel: Int32) -> Int {
    let preset = fluid_synth_get_channel_preset(synth, channel)
    // The silent preset counts as none; see `ensurePreset`.
    if preset == fluid_synth_get_channel_preset(synth, SilentNote.channel) { return 0 }
    return Int(bitPattern: preset)
  }

  /// Gives a channel without a preset the silent one, and keeps its bank. In mono mode FluidSynth
  /// returns to an earlier note at a note-off, and would call the missing preset. The calls only
  /// set numbers of the channel.
  @_semantics("no_performance_analysis") @inline(never)
  static func ensurePreset(_ synth: OpaquePointer, _ channel: Int32, _ silentNote: SilentNote) {
    if fluid_synth_get_channel_preset(synth, channel) != nil { return }
    var (font, bank, program) = (Int32(0), Int32(0), Int32(0))
    fluid_synth_get_program(synth, channel, &font, &bank, &program)
    fluid_synth_program_select(synth, channel, silentNote.fontID, SilentNote.bank, 0)
    fluid_synth_bank_select(synth, channel, bank)
  }

  /// - Parameter isPercussion: whether bank selects are ignored and programs come from bank 128.
  @_semantics("no_performance_analysis") @inline(never)
  static func select(
    _ synth: OpaquePointer, _ channel: Int32, isPercussion: Bool, font: Int32, bank: Int32,
    program: Int32
  ) {
    fluid_synth_set_channel_type(
      synth, channel, Int32((isPercussion ? CHANNEL_TYPE_DRUM : CHANNEL_TYPE_MELODIC).rawValue))
    fluid_synth_program_select(synth, channel, font, bank, program)
  }

  /// Only sets numbers in the channel. A channel of notes would otherwise keep its earlier bank of
  /// percussion.
  @_semantics("no_performance_analysis") @inline(never)
  static func setChannelType(_ synth: OpaquePointer, _ channel: Int32, isPercussion: Bool) {
    fluid_synth_set_channel_type(
      synth, channel, Int32((isPercussion ? CHANNEL_TYPE_DRUM : CHANNEL_TYPE_MELODIC).rawValue))
    if !isPercussion { fluid_synth_bank_select(synth, channel, 0) }
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func pitchBend(_ synth: OpaquePointer, _ channel: Int32, value: Int32) {
    fluid_synth_pitch_bend(synth, channel, value)
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func channelPressure(_ synth: OpaquePointer, _ channel: Int32, value: Int32) {
    fluid_synth_channel_pressure(synth, channel, value)
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func keyPressure(_ synth: OpaquePointer, _ channel: Int32, key: Int32, value: Int32) {
    fluid_synth_key_pressure(synth, channel, key, value)
  }

  /// - Parameter bytes: the bytes between 0xF0 and 0xF7.
  @_semantics("no_performance_analysis") @inline(never)
  static func systemExclusive(_ synth: OpaquePointer, _ bytes: UnsafePointer<UInt8>, count: Int) {
    bytes.withMemoryRebound(to: CChar.self, capacity: count) {
      _ = fluid_synth_sysex(synth, $0, Int32(truncatingIfNeeded: count), nil, nil, nil, 0)
    }
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func systemReset(_ synth: OpaquePointer) { fluid_synth_system_reset(synth) }

  @_semantics("no_performance_analysis") @inline(never)
  static func allSoundsOff(_ synth: OpaquePointer) { fluid_synth_all_sounds_off(synth, -1) }

  @_semantics("no_performance_analysis") @inline(never)
  static func setGenerator(
    _ synth: OpaquePointer, _ channel: Int32, _ number: Int32, _ value: Float
  ) {
    fluid_synth_set_gen(synth, channel, number, value)
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func generator(_ synth: OpaquePointer, _ channel: Int32, _ number: Int32) -> Float {
    fluid_synth_get_gen(synth, channel, number)
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func setInterpolation(_ synth: OpaquePointer, _ order: Int32) {
    fluid_synth_set_interp_method(synth, -1, order)
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func voiceCount(_ synth: OpaquePointer) -> Int {
    Int(fluid_synth_get_active_voice_count(synth))
  }

  /// The number of voices that sound on a channel; −1 for all channels.
  /// - Parameter list: room for as many voices as any synth is made for.
  @_semantics("no_performance_analysis") @inline(never)
  static func voiceCount(
    _ synth: OpaquePointer, _ channel: Int32, _ list: UnsafeMutablePointer<OpaquePointer?>
  ) -> Int {
    let capacity = voices(synth, list)
    var count = 0
    var index = 0
    while index < capacity {
      if channel < 0 || fluid_voice_get_channel(list[index]) == channel { count &+= 1 }
      index &+= 1
    }
    return count
  }

  /// Lists all sounding voices of a synth, and returns their number.
  /// - Parameter list: room for as many voices as any synth is made for, `Synth.mostVoices`.
  @_semantics("no_performance_analysis") @inline(never)
  static func voices(
    _ synth: OpaquePointer, _ list: UnsafeMutablePointer<OpaquePointer?>
  ) -> Int {
    let capacity = Synth.mostVoices
    fluid_synth_get_voicelist(synth, list, Int32(truncatingIfNeeded: capacity), -1)
    var count = 0
    while count < capacity && list[count] != nil { count &+= 1 }
    return count
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func voiceChannel(_ voice: OpaquePointer) -> Int32 { fluid_voice_get_channel(voice) }

  @_semantics("no_performance_analysis") @inline(never)
  static func voiceKey(_ voice: OpaquePointer) -> Int32 { fluid_voice_get_key(voice) }

  @_semantics("no_performance_analysis") @inline(never)
  static func voiceIsOn(_ voice: OpaquePointer) -> Bool { fluid_voice_is_on(voice) != 0 }

  @_semantics("no_performance_analysis") @inline(never)
  static func voiceIsHeld(_ voice: OpaquePointer) -> Bool {
    fluid_voice_is_sustained(voice) != 0 || fluid_voice_is_sostenuto(voice) != 0
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func voiceIsSostenuto(_ voice: OpaquePointer) -> Bool {
    fluid_voice_is_sostenuto(voice) != 0
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func voiceGenerator(_ voice: OpaquePointer, _ number: Int32) -> Float {
    fluid_voice_gen_get(voice, number)
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func setVoiceGenerator(_ voice: OpaquePointer, _ number: Int32, _ value: Float) {
    fluid_voice_gen_set(voice, number, value)
    fluid_voice_update_param(voice, number)
  }

  /// Ends the notes in an exclusive class on a channel, by a silent note in it.
  @_semantics("no_performance_analysis") @inline(never)
  static func choke(_ synth: Synth, _ channel: Int32, exclusiveClass: Int32) {
    synth.silentNote.state.pointee.channel = channel
    synth.silentNote.state.pointee.exclusiveClass = exclusiveClass
    fluid_synth_noteon(synth.synth, SilentNote.channel, 60, 1)
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func render(
    _ synth: OpaquePointer, _ frames: Int, _ left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>
  ) {
    fluid_synth_write_float(synth, Int32(truncatingIfNeeded: frames), left, 0, 1, right, 0, 1)
  }

  /// Adds a synth's output. Checked like `render`, with which it agrees bit for bit.
  @_semantics("no_performance_analysis") @inline(never)
  static func add(
    _ synth: OpaquePointer, _ frames: Int, to left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>
  ) {
    _ = auricleSynthAdd(synth, Int32(truncatingIfNeeded: frames), left, right)
  }

  /// Adds each channel's output to separate buffers, for a synth with 16 pairs of outputs.
  /// FluidSynth's own effects get nothing: they are off. Like `fluid_synth_write_float` it renders
  /// blocks into memory made with the synth and takes no lock; it then mixes from there into the
  /// given buffers.
  /// - Parameter buffers: 32 of them, left and right for each channel; nil for a channel not
  ///   wanted.
  @_semantics("no_performance_analysis") @inline(never)
  static func addChannels(
    _ synth: OpaquePointer, _ frames: Int,
    to buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  ) {
    fluid_synth_process(synth, Int32(truncatingIfNeeded: frames), 0, nil, 32, buffers)
  }

  /// The cosine of an angle in radians, pure like `powerOfTwo`.
  @_semantics("no_performance_analysis") @inline(never)
  static func cosine(_ radians: Double) -> Double { cos(radians) }

  /// Two to the power of `exponent`: a pure function of glibc, which reads tables and touches
  /// nothing else but the thread's floating-point flags.
  @_semantics("no_performance_analysis") @inline(never)
  static func powerOfTwo(_ exponent: Double) -> Double { exp2(exponent) }

  /// The binary logarithm of a number above 0; pure like `powerOfTwo`.
  @_semantics("no_performance_analysis") @inline(never)
  static func binaryLogarithm(_ value: Double) -> Double { log2(value) }
}
