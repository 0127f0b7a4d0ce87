// A SoundFont in memory, from which synths borrow.

import CFluidSynth
import Files
import Foundation

/// A SoundFont that was checked and loaded. Its samples stay as long as this object.
///
/// It belongs to a small synth of its own that never plays. Synths that play borrow the font.
final class LoadedSoundFont: @unchecked Sendable {
  let url: URL
  /// In order of bank and program.
  let presets: [SoundFontPreset]
  /// The names of presets by the address that FluidSynth knows them by as long as the font exists.
  let presetNames: [Int: String]
  /// The longest release of the font's volume envelopes, in seconds.
  let longestReleaseSeconds: Double
  /// How many modulators of the font a voice has at most.
  let mostModulators: Int
  /// What was left out of it or changed, because FluidSynth does not bear it.
  let warnings: [String]
  let silentPresets: Set<PresetNumber>
  let font: OpaquePointer
  private let owner: OpaquePointer
  private let settings: OpaquePointer

  /// - Parameters:
  ///   - alias: the name under which FluidSynth knows its samples; nil for that of the file as it is.
  ///   - progress: told as FluidSynth reads the file.
  /// - Throws: `SoundFontError`.
  /// - Thread: [worker]
  init(
    _ url: URL, alias: String? = nil, progress: LoadingProgress? = nil
  ) throws(SoundFontError) {
    let path = url.path
    let file = try SoundFontFile(url)
    self.url = url
    longestReleaseSeconds = file.longestReleaseSeconds
    mostModulators = file.mostModulators
    warnings = file.warnings
    silentPresets = file.silentPresets
    var reading: ReadingProgress?
    if let progress { reading = { part in progress(url, part) } }
    let (loaded, messages) = FluidSynthLibrary.use {
      let stamp = FileStamp(path: path)
      return Self.load(
        file.image, alias ?? SoundFontAlias.make(path: path, stamp, isFresh: false), reading)
    }
    guard let loaded else {
      throw .damaged(
        path: path, reason: messages.first.map(printable) ?? "FluidSynth does not take it")
    }
    (settings, owner, font) = loaded
    let found = Self.presets(of: font)
    presets = found.map(\.preset).sorted()
    presetNames = Dictionary(uniqueKeysWithValues: found.map { ($0.address, $0.preset.name) })
    if presets.isEmpty { throw .empty(path: path) }
    progress?(url, 1)
  }

  deinit {
    _ = FluidSynthLibrary.use {
      delete_fluid_synth(owner)
      delete_fluid_settings(settings)
    }
  }

  private static func load(
    _ image: SoundFontImage, _ path: String, _ progress: ReadingProgress?
  ) -> (settings: OpaquePointer, owner: OpaquePointer, font: OpaquePointer)? {
    guard let settings = makeFluidSettings(sampleRate: 44_100, polyphony: 1) else { return nil }
    if let owner = new_fluid_synth(settings) {
      SoundFontStream.install(image, in: owner, settings, progress: progress)
      defer { SoundFontStream.uninstall() }
      let number = fluid_synth_sfload(owner, path, 0)
      if number >= 0, let font = fluid_synth_get_sfont_by_id(owner, number) {
        return (settings, owner, font)
      }
      delete_fluid_synth(owner)
    }
    delete_fluid_settings(settings)
    return nil
  }

  private static func presets(
    of font: OpaquePointer
  ) -> [(address: Int, preset: SoundFontPreset)] {
    var presets: [(address: Int, preset: SoundFontPreset)] = []
    fluid_sfont_iteration_start(font)
    while let preset = fluid_sfont_iteration_next(font) {
      let found = SoundFontPreset(
        bank: Int(fluid_preset_get_banknum(preset)), program: Int(fluid_preset_get_num(preset)),
        name: fluid_preset_get_name(preset).map { printable(String(cString: $0)) } ?? "")
      presets.append((Int(bitPattern: preset), found))
    }
    return presets
  }
}

/// Settings for a synth that renders without locks and allocations.
///
/// - Parameter outputPairs: 1 for all channels together, or 16, one for each.
func makeFluidSettings(
  sampleRate: Double, polyphony: Int, outputPairs: Int = 1, minimumNoteMilliseconds: Int = 0,
  bankSelect: BankSelect = .gs
) -> OpaquePointer? {
  guard let settings = new_fluid_settings() else { return nil }
  let integers = [
    ("synth.threadsafe-api", 0), ("synth.reverb.active", 0), ("synth.chorus.active", 0),
    ("synth.dynamic-sample-loading", 0), ("synth.lock-memory", 0), ("synth.verbose", 0),
    // 16 for MIDI, and one for silent notes; FluidSynth has them by sixteens.
    ("synth.midi-channels", 32), ("synth.audio-channels", outputPairs),
    ("synth.audio-groups", outputPairs),
    // Counted from the note's first block, so that it does not depend on the period.
    ("synth.min-note-length", minimumNoteMilliseconds), ("synth.polyphony", polyphony),
    // The device that GS and XG resets are addressed to.
    ("synth.device-id", 0x10),
  ]
  for (name, value) in integers { fluid_settings_setint(settings, name, Int32(value)) }
  fluid_settings_setnum(settings, "synth.sample-rate", sampleRate)
  fluid_settings_setstr(settings, "synth.midi-bank-select", bankSelect.rawValue)
  return settings
}
