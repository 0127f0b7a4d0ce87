// A pool of synths made ready on the control side, down to its font, for the render thread to take.

import CFluidSynth

/// How large a pool is.
struct PoolSize: Equatable {
  /// How many voices sound at once.
  var polyphony = 256
  var synths = 32
}

/// Synths that play a loaded SoundFont, or, without one, nothing.
final class PreparedPool: @unchecked Sendable {
  /// The sample rates FluidSynth renders at, in hertz.
  static let sampleRates: ClosedRange<Double> = 8_000...96_000

  private let soundFont: LoadedSoundFont?
  let handle: UnsafeMutablePointer<SynthPool>
  private let members: [PreparedSynth]

  /// - Returns: nil when there is not enough memory.
  /// - Thread: [worker]
  init?(
    _ soundFont: LoadedSoundFont?, sampleRate: Double, bank: Int, program: Int, size: PoolSize,
    keepsPrograms: Bool
  ) {
    var members: [PreparedSynth] = []
    var synths: [Synth] = []
    // Without a font nothing sounds.
    for index in 0..<(soundFont == nil ? 1 : size.synths) {
      let capacity = index == 0 ? Synth.maximumPolyphony : SynthPool.furtherPolyphony
      guard
        let member = PreparedSynth(
          soundFont, sampleRate: sampleRate, voiceCapacity: capacity,
          voiceLimit: min(capacity, size.polyphony))
      else { return nil }
      members.append(member)
      synths.append(
        member.renderSide(
          bank: bank, program: program, hasKit: soundFont?.hasKit ?? false,
          keepsPrograms: keepsPrograms))
    }
    self.soundFont = soundFont
    self.members = members
    handle = .allocate(capacity: 1)
    handle.initialize(to: SynthPool(synths, polyphony: size.polyphony))
  }

  deinit {
    handle.pointee.deallocate()
    handle.deallocate()
  }
}

/// One synth of a pool, with the font it borrows.
private final class PreparedSynth {
  private let settings: OpaquePointer
  private let synth: OpaquePointer
  private let soundFont: LoadedSoundFont?
  private let fontID: Int32
  private let silentNote: SilentNote
  private let voiceCapacity: Int
  private let voiceLimit: Int

  /// - Returns: nil when there is not enough memory.
  init?(
    _ soundFont: LoadedSoundFont?, sampleRate: Double, voiceCapacity: Int, voiceLimit: Int
  ) {
    let made = FluidSynthLibrary.use {
      () -> (OpaquePointer, OpaquePointer, SilentNote, Int32)? in
      guard let settings = makeFluidSettings(sampleRate: sampleRate, polyphony: voiceCapacity)
      else { return nil }
      guard let synth = new_fluid_synth(settings) else {
        delete_fluid_settings(settings)
        return nil
      }
      guard let silentNote = SilentNote(for: synth) else {
        delete_fluid_synth(synth)
        delete_fluid_settings(settings)
        return nil
      }
      // It allocates, also in the next block: that one is rendered here. The synth is made for all
      // voices, so that its queue is long whatever the limit.
      fluid_synth_set_polyphony(synth, Int32(voiceLimit))
      renderBlock(synth)
      let fontID = soundFont.map { fluid_synth_add_sfont(synth, $0.font) } ?? -1
      return (settings, synth, silentNote, fontID)
    }.result
    guard let (settings, synth, silentNote, fontID) = made else { return nil }
    self.settings = settings
    self.synth = synth
    self.soundFont = soundFont
    self.fontID = fontID
    self.silentNote = silentNote
    self.voiceCapacity = voiceCapacity
    self.voiceLimit = voiceLimit
  }

  func renderSide(bank: Int, program: Int, hasKit: Bool, keepsPrograms: Bool) -> Synth {
    Synth(
      synth, voiceCapacity: voiceCapacity, voiceLimit: voiceLimit, silentNote: silentNote,
      fontID: fontID, bank: Int32(bank), program: Int32(program), hasKit: hasKit,
      keepsPrograms: keepsPrograms)
  }

  deinit {
    let (synth, settings, soundFont, silentNote) = (synth, settings, soundFont, silentNote)
    _ = FluidSynthLibrary.use {
      // The voices let go of the font's samples before the font is taken away.
      fluid_synth_all_sounds_off(synth, -1)
      renderBlock(synth)
      if let soundFont { fluid_synth_remove_sfont(synth, soundFont.font) }
      silentNote.remove(from: synth)
      delete_fluid_synth(synth)
      delete_fluid_settings(settings)
      silentNote.delete()
    }
  }
}

/// Lets a synth's mixer carry out what waits for it.
private func renderBlock(_ synth: OpaquePointer) {
  var left = [Float](repeating: 0, count: Synth.blockFrames)
  var right = left
  fluid_synth_write_float(synth, Int32(Synth.blockFrames), &left, 0, 1, &right, 0, 1)
}
