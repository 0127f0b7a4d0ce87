// Loading of SoundFonts, also while playing.

public import Configuration
public import FoundationEssentials
public import SoundFontFiles
import UnitModel

extension SamplerUnit {
  /// Loads a SoundFont and plays one of its presets on every channel (see the type for drum
  /// channels).
  ///
  /// Equals `load(soundFonts:bank:program:progress:)` with one file.
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
  /// drum channels). The last one lies on top: it plays where several have a bank and program.
  ///
  /// Files are read off the render thread, and sounding notes continue. The switch is one step at
  /// the start of a cycle; notes held then finish on the old sound. Loads of a unit follow each
  /// other in the order of their calls. A file that the unit still plays, and that was not written
  /// since, is not read again.
  ///
  /// - Parameters:
  ///   - soundFonts: at least one SF2 or SF3 file.
  ///   - bank: bank of the stack, with offsets, 0 to 127, or 128 for percussion.
  ///   - program: 0 to 127.
  ///   - progress: called as files are read.
  /// - Throws: `SoundFontError`; the former sound continues.
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
    soundWasLoaded()
  }

  /// Finds a sound by its name.
  ///
  /// Files that the unit plays are not read again.
  ///
  /// - Parameters:
  ///   - soundFonts: at least one SF2 or SF3 file.
  ///   - name: the name of a preset; upper and lower case are the same.
  /// - Throws: `SoundFontError`, also for a name that several presets have.
  /// - Thread: [control]
  public func sound(
    named name: String, in soundFonts: [SoundFontEntry], progress: LoadingProgress? = nil
  ) async throws(SoundFontError) -> SoundFontPreset {
    let sound = try await bay.sound(
      named: name, of: SynthPools.Request(soundFonts, progress: progress)
    ).get()
    return SoundFontPreset(
      bank: sound.bank, program: sound.program,
      name: sound.stack.presetName(bank: sound.bank, program: sound.program))
  }

  /// Loads the SoundFonts again from their files. Programs chosen by MIDI stay.
  ///
  /// - Throws: `SoundFontError`; the former sound continues.
  /// - Thread: [control]
  public func reload(progress: LoadingProgress? = nil) async throws(SoundFontError) {
    try await bay.reload(progress: progress).get()
    soundDidChange()
  }

  /// The loaded file, the lowest of several; nil for none.
  ///
  /// - Thread: [control]
  public var soundFont: URL? { soundFonts.first?.url }

  /// The loaded stack, the lowest file first; empty without a SoundFont.
  ///
  /// - Thread: [control]
  public var soundFonts: [SoundFontEntry] { bay.choice?.stack.entries ?? [] }

  /// The configured bank and program; nil without a SoundFont.
  ///
  /// - Thread: [control]
  public var soundFontProgram: (bank: Int, program: Int)? {
    bay.choice.map { ($0.bank, $0.program) }
  }

  /// The loaded stack's presets as presets of the unit: their names are unique, their numbers are
  /// 128 · bank + program.
  var sounds: [Preset] {
    guard let stack = bay.choice?.stack else { return [] }
    return zip(stack.presets, stack.soundNames).map { preset, name in
      Preset(number: Self.soundNumber(preset.bank, preset.program), name: name)
    }
  }

  /// The configured one of `sounds`; nil without a SoundFont.
  var sound: Preset? {
    guard let (bank, program) = soundFontProgram else { return nil }
    return sounds.first { $0.number == Self.soundNumber(bank, program) }
  }

  /// Makes the configured sound the current preset, unless entries are the presets.
  func soundWasLoaded() {
    if bay.liveSet == nil, let sound { presetDidChange(to: sound) }
  }

  private static func soundNumber(_ bank: Int, _ program: Int) -> Int { 128 * bank + program }

  /// Bank and program of one of `sounds`, by its number.
  private static func sound(number: Int) -> (bank: Int, program: Int) {
    (number / 128, number % 128)
  }

  public func sound(of preset: Preset) -> (bank: Int, program: Int)? {
    bay.liveSet == nil && !preset.isUserPreset ? Self.sound(number: preset.number) : nil
  }

  /// Loads one of `sounds`.
  func apply(sound: Preset) throws(StateError) {
    let (bank, program) = Self.sound(number: sound.number)
    let request = SynthPools.Request(soundFonts, bank: bank, program: program)
    do throws(SoundFontError) { try bay.loadWaiting(request).get() } catch {
      throw .invalidSetting("program", reason: error.description)
    }
    soundDidChange()
  }

  /// Presets of the loaded stack, in order of bank and program.
  ///
  /// - Thread: [control]
  public var soundFontPresets: [SoundFontPreset] { bay.choice?.stack.presets ?? [] }

  /// Warnings about the SoundFonts in memory: parts left out or held to a range, because FluidSynth
  /// cannot handle them. A line each, with the file.
  ///
  /// - Thread: [control]
  public var soundFontWarnings: [String] { bay.warnings }
}
