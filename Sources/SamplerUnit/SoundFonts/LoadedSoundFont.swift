// A SoundFont that was checked, in memory.

import Files
import FluidSynthPool
import Foundation

/// A SoundFont that was checked and loaded. Its samples stay as long as this object.
final class LoadedSoundFont: Sendable {
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
  let size: SoundFontSize
  /// Equal for those that share samples.
  let samplesName: String
  let font: FluidSynthFont

  /// - Parameters:
  ///   - alias: the name under which FluidSynth knows its samples; nil for that of the file as it
  ///     is.
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
    size = file.size
    samplesName = alias ?? path
    var reading: ReadingProgress?
    if let progress { reading = { part in progress(url, part) } }
    let (font, messages) = FluidSynthFont.load(
      file.image,
      name: { alias ?? SoundFontAlias.make(path: path, FileStamp(path: path), isFresh: false) },
      progress: reading)
    guard let font else {
      // FluidSynth's own words for each allocation that fails.
      if messages.contains(where: { $0.contains("Out of memory") }) {
        throw .outOfMemory(path: path)
      }
      throw .damaged(
        path: path, reason: messages.first.map(printable) ?? "FluidSynth does not take it")
    }
    self.font = font
    let found = font.presets
    presets = found.map {
      SoundFontPreset(bank: $0.bank, program: $0.program, name: printable($0.name))
    }.sorted()
    presetNames = Dictionary(uniqueKeysWithValues: found.map { ($0.address, printable($0.name)) })
    if presets.isEmpty { throw .empty(path: path) }
    progress?(url, 1)
  }
}
