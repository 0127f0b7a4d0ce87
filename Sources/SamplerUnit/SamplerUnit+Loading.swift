// Loading SoundFonts, also while playing.

public import Foundation
import UnitModel

/// See `SamplerUnit.LoadingProgress`.
typealias LoadingProgress = SamplerUnit.LoadingProgress

extension SamplerUnit {
  /// Told which file is being read and the part of it that was, 0 to 1, which is when it is loaded.
  ///
  /// It runs on the thread that loads, once for each megabyte or sample; what it does keeps every
  /// sampler of the process from loading, and it must not call any.
  public typealias LoadingProgress = @Sendable (_ file: URL, _ part: Double) -> Void

  /// Loads a SoundFont and plays one of its presets on every channel (see the type for drum
  /// channels).
  ///
  /// The same as `load(soundFonts:bank:program:progress:)` with one.
  ///
  /// AUv3: `loadSoundBankInstrument(at:program:bankMSB:bankLSB:)`.
  /// - Thread: [control]
  public func load(
    soundFont: URL, bank: Int = 0, program: Int = 0, progress: LoadingProgress? = nil
  ) async throws(SoundFontError) {
    try await load(
      soundFonts: [SoundFontEntry(soundFont)], bank: bank, program: program, progress: progress)
  }

  /// Loads a stack of SoundFonts and plays one of their presets on every channel (see the type for
  /// channel 10). The last one lies on top: it plays where several have a bank and program.
  ///
  /// Files are read off the render thread, while what sounds goes on sounding; the switch is made
  /// in one step at the start of a cycle, and notes that are held then end on the old sound. Loads
  /// of one unit follow each other in the order they were asked for. A file that the unit still
  /// plays, and that was not written since, is not read again.
  ///
  /// - Parameters:
  ///   - soundFonts: at least one SF2 or SF3 file.
  ///   - bank: 0 to 127, or 128 for percussion, of the stack: offsets counted in.
  ///   - program: 0 to 127.
  ///   - progress: told how far files are read.
  /// - Throws: `SoundFontError`; what was loaded before goes on playing.
  /// - Thread: [control]
  public func load(
    soundFonts: [SoundFontEntry], bank: Int = 0, program: Int = 0,
    progress: LoadingProgress? = nil
  ) async throws(SoundFontError) {
    try await bay.load(
      SynthPools.Request(
        soundFonts, bank: bank, program: program, progress: progress)
    ).get()
    soundDidChange()
  }

  /// Loads the SoundFonts once more from their files. Programs chosen by MIDI stay.
  ///
  /// - Throws: `SoundFontError`; what was loaded before goes on playing.
  /// - Thread: [control]
  public func reload(progress: LoadingProgress? = nil) async throws(SoundFontError) {
    try await bay.reload(progress: progress).get()
    soundDidChange()
  }

  /// The file that is loaded, of several the lowest, nil for none.
  ///
  /// - Thread: [control]
  public var soundFont: URL? { soundFonts.first?.url }

  /// The stack that is loaded, the lowest first; empty without a SoundFont.
  ///
  /// - Thread: [control]
  public var soundFonts: [SoundFontEntry] { bay.choice?.stack.entries ?? [] }

  /// The configured bank and program, nil without a SoundFont.
  ///
  /// - Thread: [control]
  public var soundFontProgram: (bank: Int, program: Int)? {
    bay.choice.map { ($0.bank, $0.program) }
  }

  /// What the loaded SoundFonts offer together, in order of bank and program.
  ///
  /// - Thread: [control]
  public var soundFontPresets: [SoundFontPreset] { bay.choice?.stack.presets ?? [] }

  /// What was left out of the SoundFonts that are in memory, or held to a range, because FluidSynth
  /// does not bear it: a line each, with the file.
  ///
  /// - Thread: [control]
  public var soundFontWarnings: [String] { bay.warnings }
}
