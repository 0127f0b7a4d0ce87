// A preset made in memory, whose notes choke an exclusive class and make no sound.

import CFluidSynth

/// A synth's means to choke a class for a note that begins on another synth.
///
/// FluidSynth has no call for that. But it chokes a class when a voice begins, and lets a preset
/// begin a voice of any class on any channel. The preset is played on a channel after the 16 of
/// MIDI. The value is a handle: copies name the same memory.
struct SilentNote: @unchecked Sendable, BitwiseCopyable {
  /// The data that the preset's note-on reads.
  struct State {
    let font: OpaquePointer
    let preset: OpaquePointer
    let sample: OpaquePointer
    let frames: UnsafeMutablePointer<Int16>
    /// The channel and the class that the next note chokes.
    var channel: Int32 = 0
    var exclusiveClass: Int32 = 0
    /// Whether the note sounds on until all sound ends.
    var isHeld = false
  }

  static var channel: Int32 { @_noLocks @_noAllocation get { 16 } }
  /// A bank in which no program change and no bank select finds the preset.
  static var bank: Int32 { @_noLocks @_noAllocation get { 16_383 } }
  private static let frameCount = 64

  let state: UnsafeMutablePointer<State>
  let fontID: Int32

  /// Makes one for a synth.
  ///
  /// - Returns: nil if there is not enough memory.
  /// - Thread: [worker]
  init?(for synth: OpaquePointer) {
    guard
      let font = new_fluid_sfont(
        { _ in nil }, silentPreset, { _ in }, { _ in nil }, { delete_fluid_sfont($0) })
    else { return nil }
    guard
      let preset = new_fluid_preset(
        font, { _ in nil }, { _ in SilentNote.bank }, { _ in 0 }, playSilentNote,
        { delete_fluid_preset($0) })
    else {
      delete_fluid_sfont(font)
      return nil
    }
    guard let sample = new_fluid_sample() else {
      delete_fluid_preset(preset)
      delete_fluid_sfont(font)
      return nil
    }
    let frames = UnsafeMutablePointer<Int16>.allocate(capacity: Self.frameCount)
    frames.initialize(repeating: 0, count: Self.frameCount)
    fluid_sample_set_sound_data(sample, frames, nil, UInt32(Self.frameCount), 48_000, 0)
    state = .allocate(capacity: 1)
    state.initialize(to: State(font: font, preset: preset, sample: sample, frames: frames))
    fluid_sample_set_loop(sample, 8, UInt32(Self.frameCount - 8))
    fluid_preset_set_data(preset, state)
    fluid_sfont_set_data(font, state)
    fontID = fluid_synth_add_sfont(synth, font)
  }

  /// Plays every voice of a synth, without a sound, in the middle of the panorama.
  ///
  /// FluidSynth moves a voice from the amplitudes of its last note to those of its next one within
  /// a block. A voice that has never sounded starts from zero: it would fade in. This also touches
  /// the memory of voices and queue.
  ///
  /// - Thread: [worker]
  func prime(_ synth: OpaquePointer, voices: Int) {
    Vouched.select(
      synth, Self.channel, isPercussion: false, font: fontID, bank: Self.bank, program: 0)
    // The cheapest interpolation, since the sound is silent.
    Vouched.setInterpolation(synth, Int32(FLUID_INTERP_NONE.rawValue))
    state.pointee.isHeld = true
    state.pointee.exclusiveClass = 0
    var index = 0
    // Every block renders all voices begun so far, so there are few blocks. One voice has as many
    // blocks as the render thread renders at once, and half of the voices leave room in the queue.
    for (end, blocks) in [(1, 4), (voices / 2, 1), (voices, 1)] {
      while index < end {
        // Each key of a channel once, so that none ends another.
        state.pointee.channel = Int32(index / 128)
        fluid_synth_noteon(synth, Self.channel, Int32(index % 128), 127)
        index += 1
      }
      renderBlocks(synth, blocks)
    }
    state.pointee.isHeld = false
    fluid_synth_all_sounds_off(synth, -1)
    renderBlocks(synth, 4)
    Vouched.setInterpolation(synth, Int32(FLUID_INTERP_DEFAULT.rawValue))
    precondition(fluid_synth_get_active_voice_count(synth) == 0)
  }

  /// Removes the font from the synth, before the synth is deleted.
  ///
  /// - Thread: [control]
  func remove(from synth: OpaquePointer) { fluid_synth_remove_sfont(synth, state.pointee.font) }

  /// - Thread: [control], once the synth is deleted.
  func delete() {
    delete_fluid_sample(state.pointee.sample)
    delete_fluid_preset(state.pointee.preset)
    delete_fluid_sfont(state.pointee.font)
    state.pointee.frames.deallocate()
    state.deallocate()
  }
}

private func silentPreset(
  _ font: OpaquePointer?, _ bank: Int32, _ program: Int32
) -> OpaquePointer? {
  guard bank == SilentNote.bank, program == 0, let data = fluid_sfont_get_data(font) else {
    return nil
  }
  return data.assumingMemoryBound(to: SilentNote.State.self).pointee.preset
}

/// Plays the note. FluidSynth calls it on the render thread, within `Vouched.choke`.
private func playSilentNote(
  _ preset: OpaquePointer?, _ synth: OpaquePointer?, _ channel: Int32, _ key: Int32,
  _ velocity: Int32
) -> Int32 {
  // On channels of MIDI the preset replaces a missing one.
  if channel != SilentNote.channel { return FLUID_OK }
  guard let data = fluid_preset_get_data(preset) else { return FLUID_FAILED }
  let state = data.assumingMemoryBound(to: SilentNote.State.self)
  guard
    let voice = fluid_synth_alloc_voice(
      synth, state.pointee.sample, state.pointee.channel, key, velocity)
  else { return FLUID_FAILED }
  fluid_voice_gen_set(
    voice, Int32(GEN_EXCLUSIVECLASS.rawValue), Float(state.pointee.exclusiveClass))
  if state.pointee.isHeld { fluid_voice_gen_set(voice, Int32(GEN_SAMPLEMODE.rawValue), 1) }
  fluid_synth_start_voice(synth, voice)
  return FLUID_OK
}
