// auricle soundfont

import ArgumentParser
import Configuration
import FoundationEssentials
import Platform
import SamplerUnit
import Session
import SoundFontFiles

struct SoundFontCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soundfont", abstract: "List the banks, programs and names of a SoundFont.")

  @Argument(
    help: "An SF2 or SF3 file, also by its name in the usual SoundFont folders.",
    completion: .custom(completedSoundFonts))
  var file: String

  @Flag(help: "Print JSON.")
  var json = false

  private struct Preset: Encodable {
    let bank: Int
    let program: Int
    let name: String
  }

  func run() throws {
    let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let url: URL
    do throws(SoundFontLocationError) {
      // Located as for a configuration in this folder.
      url = try SoundFontLocator().locate(file, beside: here.appendingPathComponent("auricle"))
    } catch {
      throw CommandFailure.failed(error)
    }
    let presets: [SoundFontPreset]
    do throws(SoundFontError) {
      let found = try SoundFontInspector.inspect(url)
      presets = found.presets
      for line in found.warnings {
        StandardError.write(
          harmless("auricle: warning: \(url.path): \(line)", isOneLine: true))
      }
    } catch {
      throw CommandFailure.failed(error)
    }
    if json {
      return try printJSON(
        presets.map { Preset(bank: $0.bank, program: $0.program, name: $0.name) })
    }
    try StandardOutput.write("bank program  name")
    for preset in presets {
      try StandardOutput.write(
        "\(preset.bank)".aligned(right: 4) + " " + "\(preset.program)".aligned(right: 7) + "  "
          + preset.name)
    }
  }
}
