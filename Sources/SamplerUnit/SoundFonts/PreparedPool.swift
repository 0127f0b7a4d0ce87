// A pool of synths made ready on the control side, down to its font, for the render thread to take.

import CFluidSynth

/// How large a pool is, and what it is made for.
struct PoolSize: Equatable {
  /// How many voices sound at once.
  var polyphony = 256
  /// With 64 there is one for every place in a block of 64 frames: no note has to wait for want of a synth.
  var synths = 64
  /// Whether each MIDI channel comes out of the synths by itself, for effects and outputs of its own.
  var isSeparated = false
}

/// Synths that play loaded SoundFonts, or, without one, nothing.
final class PreparedPool: @unchecked Sendable {
  /// The sample rates FluidSynth renders at, in hertz.
  static let sampleRates: ClosedRange<Double> = 8_000...96_000

  let stack: SoundFontStack?
  let handle: UnsafeMutablePointer<SynthPool>
  private let members: [PreparedSynth]

  /// - Returns: nil when there is not enough memory.
  /// - Thread: [worker]
  init?(
    _ stack: SoundFontStack?, sampleRate: Double, bank: Int, program: Int, size: PoolSize,
    keepsPrograms: Bool
  ) {
    var members: [PreparedSynth] = []
    var synths: [Synth] = []
    // Without a font nothing sounds.
    for index in 0..<(stack == nil ? 1 : size.synths) {
      let capacity = index == 0 ? Synth.maximumPolyphony : SynthPool.furtherPolyphony
      guard
        let member = PreparedSynth(
          stack, sampleRate: sampleRate, voiceCapacity: capacity,
          voiceLimit: min(capacity, size.polyphony), isSeparated: size.isSeparated)
      else { return nil }
      members.append(member)
      synths.append(
        member.renderSide(
          stack?.configured(bank: bank, program: program) ?? ConfiguredProgram(),
          keepsPrograms: keepsPrograms))
    }
    self.stack = stack
    self.members = members
    handle = .allocate(capacity: 1)
    handle.initialize(
      to: SynthPool(synths, polyphony: size.polyphony, isSeparated: size.isSeparated))
  }

  deinit {
    handle.pointee.deallocate()
    handle.deallocate()
  }
}

/// One synth of a pool, with the fonts it borrows.
private final class PreparedSynth {
  private let settings: OpaquePointer
  private let synth: OpaquePointer
  private let stack: SoundFontStack?
  private let fonts: [BorrowedSoundFont]
  private let silentNote: SilentNote
  private let voiceCapacity: Int
  private let voiceLimit: Int

  /// - Returns: nil when there is not enough memory.
  init?(
    _ stack: SoundFontStack?, sampleRate: Double, voiceCapacity: Int, voiceLimit: Int,
    isSeparated: Bool
  ) {
    let made = FluidSynthLibrary.use {
      () -> (OpaquePointer, OpaquePointer, SilentNote, [BorrowedSoundFont])? in
      guard
        let settings = makeFluidSettings(
          sampleRate: sampleRate, polyphony: voiceCapacity, outputPairs: isSeparated ? 16 : 1)
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
      let layers = stack?.layers ?? []
      let fonts = layers.compactMap { BorrowedSoundFont($0, for: synth) }
      guard fonts.count == layers.count else {
        Self.delete(synth, settings, silentNote, fonts)
        return nil
      }
      precondition(
        fonts.enumerated().allSatisfy { $1.fontID == SoundFontStack.fontID(ofLayer: $0) })
      return (settings, synth, silentNote, fonts)
    }.result
    guard let (settings, synth, silentNote, fonts) = made else { return nil }
    self.settings = settings
    self.synth = synth
    self.stack = stack
    self.fonts = fonts
    self.silentNote = silentNote
    self.voiceCapacity = voiceCapacity
    self.voiceLimit = voiceLimit
  }

  func renderSide(_ configured: ConfiguredProgram, keepsPrograms: Bool) -> Synth {
    Synth(
      synth, voiceCapacity: voiceCapacity, voiceLimit: voiceLimit, silentNote: silentNote,
      configured: configured, keepsPrograms: keepsPrograms)
  }

  deinit {
    let (synth, settings, silentNote, fonts) = (synth, settings, silentNote, fonts)
    _ = FluidSynthLibrary.use {
      // The voices let go of the fonts' samples before the fonts are taken away.
      fluid_synth_all_sounds_off(synth, -1)
      renderBlock(synth)
      Self.delete(synth, settings, silentNote, fonts)
    }
  }

  private static func delete(
    _ synth: OpaquePointer, _ settings: OpaquePointer, _ silentNote: SilentNote,
    _ fonts: [BorrowedSoundFont]
  ) {
    for font in fonts { font.remove(from: synth) }
    silentNote.remove(from: synth)
    delete_fluid_synth(synth)
    delete_fluid_settings(settings)
    for font in fonts { font.delete() }
    silentNote.delete()
  }
}

/// Lets a synth's mixer carry out what waits for it.
private func renderBlock(_ synth: OpaquePointer) {
  var left = [Float](repeating: 0, count: Synth.blockFrames)
  var right = left
  fluid_synth_write_float(synth, Int32(Synth.blockFrames), &left, 0, 1, &right, 0, 1)
}
