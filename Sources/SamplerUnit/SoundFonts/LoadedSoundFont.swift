// A checked SoundFont in memory.

import Configuration
import Files
import FluidSynthPool
import FoundationEssentials
import SoundFontFiles

extension SoundFontImage: FontBytes {}

/// A SoundFont that was checked and loaded. Its samples stay as long as this object.
final class LoadedSoundFont: Sendable {
  let url: URL
  /// Presets in order of bank and program.
  let presets: [SoundFontPreset]
  /// Names of presets by FluidSynth's addresses of them, valid as long as the font.
  let presetNames: [Int: String]
  /// The longest release of the font's volume envelopes, in seconds.
  let longestReleaseSeconds: Double
  /// The most modulators of the font that a voice has.
  let mostModulators: Int
  /// Lines about parts left out or changed, because FluidSynth cannot handle them.
  let warnings: [String]
  let silentPresets: Set<PresetNumber>
  let size: SoundFontSize
  /// Equal for fonts that share samples.
  let samplesName: String
  let font: FluidSynthFont

  /// - Parameters:
  ///   - alias: FluidSynth's name of its samples; nil for that of the file's current version.
  ///   - progress: called as FluidSynth reads the file.
  /// - Throws: `SoundFontError`.
  /// - Thread: [worker]
  init(
    _ url: URL, alias: String? = nil, progress: LoadingProgress? = nil
  ) throws(SoundFontError) {
    let path = url.path
    let file = try SoundFontFile(url, lowestSampleRate: PreparedPool.sampleRates.lowerBound)
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
      // FluidSynth's message for each allocation that fails.
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
