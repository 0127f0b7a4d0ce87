// Loading SoundFonts, also while playing.

public import Foundation
import UnitModel

extension SamplerUnit {
  /// Loads a SoundFont and plays one of its presets on every channel (see the type for channel 10).
  ///
  /// The file is read off the render thread, while what sounds goes on sounding; the switch is made in one
  /// step at the start of a cycle, and notes that are held then end on the old sound. Loads of one unit
  /// follow each other in the order they were asked for.
  ///
  /// - Parameters:
  ///   - soundFont: an SF2 or SF3 file.
  ///   - bank: 0 to 127, or 128 for percussion.
  ///   - program: 0 to 127.
  /// - Throws: `SoundFontError`; what was loaded before goes on playing.
  ///
  /// AUv3: `loadSoundBankInstrument(at:program:bankMSB:bankLSB:)`.
  /// - Thread: [control]
  public func load(
    soundFont: URL, bank: Int = 0, program: Int = 0
  ) async throws(SoundFontError) {
    try await bay.load(soundFont, bank: bank, program: program, keepsPrograms: false).get()
    notify(.tailTime)
  }

  /// Loads the SoundFont once more from its file. Programs chosen by MIDI stay.
  ///
  /// - Throws: `SoundFontError`; what was loaded before goes on playing.
  /// - Thread: [control]
  public func reload() async throws(SoundFontError) {
    try await bay.reload().get()
    notify(.tailTime)
  }

  /// The file that is loaded, nil for none.
  ///
  /// - Thread: [control]
  public var soundFont: URL? { bay.choice?.soundFont.url }

  /// The configured bank and program, nil without a SoundFont.
  ///
  /// - Thread: [control]
  public var soundFontProgram: (bank: Int, program: Int)? {
    bay.choice.map { ($0.bank, $0.program) }
  }

  /// What the loaded SoundFont offers, in order of bank and program.
  ///
  /// - Thread: [control]
  public var soundFontPresets: [SoundFontPreset] { bay.choice?.soundFont.presets ?? [] }
}
