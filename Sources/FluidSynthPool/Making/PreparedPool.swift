// A pool of synths, with its fonts, prepared on the control side for the render thread.

import CFluidSynth

/// The size and the layout of a pool.
package struct PoolSize: Equatable, Sendable {
  /// The number of voices that may sound at once.
  package var polyphony = 256
  /// The number of synths. With 64 there is one for each frame of a block of 64 frames: no note has
  /// to wait for a synth.
  package var synths = 64
  /// The least length of a note: a note-off that arrives earlier waits.
  package var minimumNoteMilliseconds = 10
  /// Whether the synths output each MIDI channel separately, for its own effects and outputs.
  package var isSeparated: Bool
  /// The initial state of the channels.
  package var channels = SamplerChannelSetup()

  package init(isSeparated: Bool = false) { self.isSeparated = isSeparated }
}

/// Synths that play loaded SoundFonts; without a font they are silent.
package final class PreparedPool: @unchecked Sendable {
  /// The sample rates at which FluidSynth renders, in hertz. Below the lowest its oscillators
  /// diverge: at 110 Hz they would move further in a block than their whole swing.
  package static let sampleRates: ClosedRange<Double> = 16_000...96_000

  package let handle: UnsafeMutablePointer<SynthPool>
  private let members: [PreparedSynth]

  /// - Returns: nil if there is not enough memory.
  /// - Thread: [worker]
  package init?(
    _ fonts: PoolFonts?, sampleRate: Double, configured: ConfiguredProgram, size: PoolSize,
    keepsPrograms: Bool
  ) {
    var members: [PreparedSynth] = []
    var synths: [Synth] = []
    guard
      let settings = PreparedSettings(
        sampleRate, voiceCapacity: size.polyphony + Synth.spareVoices, size),
      let furtherSettings = PreparedSettings(
        sampleRate, voiceCapacity: SynthPool.furtherPolyphony, size)
    else { return nil }
    // Without a font nothing sounds.
    for index in 0..<(fonts == nil ? 1 : size.synths) {
      guard let member = PreparedSynth(fonts, index == 0 ? settings : furtherSettings) else {
        return nil
      }
      members.append(member)
      synths.append(
        member.renderSide(configured, channels: size.channels, keepsPrograms: keepsPrograms))
    }
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

/// Settings for synths of a pool. The synths share them; they never change.
private final class PreparedSettings: @unchecked Sendable {
  let settings: OpaquePointer
  let voiceCapacity: Int

  /// - Returns: nil if there is not enough memory.
  init?(_ sampleRate: Double, voiceCapacity: Int, _ size: PoolSize) {
    let made = FluidSynthLibrary.use {
      makeFluidSettings(
        sampleRate: sampleRate, polyphony: voiceCapacity, outputPairs: size.isSeparated ? 16 : 1,
        minimumNoteMilliseconds: size.minimumNoteMilliseconds, bankSelect: size.channels.bankSelect)
    }.result
    guard let made else { return nil }
    settings = made
    self.voiceCapacity = voiceCapacity
  }

  deinit { _ = FluidSynthLibrary.use { delete_fluid_settings(settings) } }
}

/// One synth of a pool, with the fonts it borrows.
private final class PreparedSynth {
  private let settings: PreparedSettings
  private let synth: OpaquePointer
  private let lent: PoolFonts?
  private let fonts: [BorrowedSoundFont]
  private let silentNote: SilentNote

  /// - Returns: nil if there is not enough memory.
  init?(_ lent: PoolFonts?, _ settings: PreparedSettings) {
    let made = FluidSynthLibrary.use {
      () -> (OpaquePointer, SilentNote, [BorrowedSoundFont])? in
      guard let synth = new_fluid_synth(settings.settings) else { return nil }
      guard let silentNote = SilentNote(for: synth) else {
        delete_fluid_synth(synth)
        return nil
      }
      silentNote.prime(synth, voices: settings.voiceCapacity)
      let layers = lent?.layers ?? []
      let fonts = layers.compactMap { BorrowedSoundFont($0, for: synth) }
      guard fonts.count == layers.count else {
        Self.delete(synth, silentNote, fonts)
        return nil
      }
      precondition(
        fonts.enumerated().allSatisfy { $1.fontID == PoolFonts.fontID(ofLayer: $0) })
      return (synth, silentNote, fonts)
    }.result
    guard let (synth, silentNote, fonts) = made else { return nil }
    self.settings = settings
    self.synth = synth
    self.lent = lent
    self.fonts = fonts
    self.silentNote = silentNote
  }

  func renderSide(
    _ configured: ConfiguredProgram, channels: SamplerChannelSetup, keepsPrograms: Bool
  ) -> Synth {
    Synth(
      synth, voiceCapacity: settings.voiceCapacity, silentNote: silentNote,
      modulators: lent?.modulators ?? 0, presets: lent?.presetCount ?? 0, channels: channels,
      configured: configured, keepsPrograms: keepsPrograms)
  }

  deinit {
    let (synth, silentNote, fonts) = (synth, silentNote, fonts)
    _ = FluidSynthLibrary.use {
      // The voices release the fonts' samples before the fonts are removed.
      fluid_synth_all_sounds_off(synth, -1)
      renderBlocks(synth, 1)
      Self.delete(synth, silentNote, fonts)
    }
  }

  private static func delete(
    _ synth: OpaquePointer, _ silentNote: SilentNote, _ fonts: [BorrowedSoundFont]
  ) {
    for font in fonts { font.remove(from: synth) }
    silentNote.remove(from: synth)
    delete_fluid_synth(synth)
    for font in fonts { font.delete() }
    silentNote.delete()
  }
}

/// Renders blocks, so that a synth's mixer applies the changes in its queue.
func renderBlocks(_ synth: OpaquePointer, _ blocks: Int) {
  let count = blocks * Synth.blockFrames
  var left = [Float](repeating: 0, count: count)
  var right = left
  fluid_synth_write_float(synth, Int32(count), &left, 0, 1, &right, 0, 1)
}
