// Playing a SoundFont without a configuration.

public import Configuration
public import FoundationEssentials
import SoundFontFiles

extension SamplerUnit {
  /// Returns the file of a SoundFont; searches the current folder too.
  public static func locate(
    _ name: String, _ context: ConfigurationContext
  ) throws(ConfigurationProblem) -> URL {
    let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
    do throws(SoundFontLocationError) {
      return try SoundFontLocator(environment: context.environment).locate(
        name, beside: here.appendingPathComponent("auricle"))
    } catch { throw ConfigurationProblem(error.description, at: SourcePosition(file: name)) }
  }

  /// Names of General MIDI SoundFonts in the usual folders, in the order in which they are
  /// preferred. The first four are links to the system's choice.
  private static let usualNames = [
    "default-GM.sf2", "default-GM.sf3", "default.sf2", "default.sf3", "FluidR3_GM.sf2",
    "TimGM6mb.sf2",
  ]

  /// Returns the General MIDI SoundFont that the system uses, or another that is installed.
  public static func usualFile(
    _ context: ConfigurationContext
  ) throws(ConfigurationProblem) -> URL {
    let locator = SoundFontLocator(environment: context.environment)
    for name in usualNames {
      if let url = try? locator.locate(name) { return url }
    }
    throw ConfigurationProblem(
      "no SoundFont is installed that plays MIDI files",
      accepted: "a SoundFont before the file, or on Debian: apt install timgm6mb-soundfont",
      at: SourcePosition(file: "play"))
  }

  public static func fileNames(_ context: ConfigurationContext) -> [String] {
    SoundFontLocator(environment: context.environment).names
  }

  public static func keys(
    toPlay file: URL, named name: String, _ choice: SoundSelection
  ) throws(ConfigurationProblem) -> UnitKeys {
    let (bank, program) = try preset(choice, of: file, named: name)
    func number(_ number: Int, from option: String) -> ConfigurationValue {
      ConfigurationValue(.integer(number), at: SourcePosition(file: option))
    }
    var keys = UnitKeys()
    keys.set(
      "soundfont", to: ConfigurationValue(.string(file.path), at: SourcePosition(file: name)))
    if bank != 0 || choice.bank != nil { keys.set("bank", to: number(bank, from: "--bank")) }
    if program != 0 || choice.program != nil {
      keys.set("program", to: number(program, from: "--program"))
    }
    return keys
  }

  /// Returns the requested preset; without a request the first one, the piano in most SoundFonts.
  private static func preset(
    _ choice: SoundSelection, of url: URL, named name: String
  ) throws(ConfigurationProblem) -> (bank: Int, program: Int) {
    let presets: [SoundFontPreset]
    do throws(SoundFontError) { presets = try SoundFontInspector.presets(of: url) } catch {
      throw ConfigurationProblem(error.description, at: SourcePosition(file: name))
    }
    let candidates = presets.filter { choice.bank == nil || $0.bank == choice.bank }
    guard let wanted = choice.preset else {
      let program = choice.program
      let first = candidates.first { program == nil || $0.program == program }
      // Loading reports a missing preset.
      return (first?.bank ?? choice.bank ?? 0, first?.program ?? program ?? 0)
    }
    do throws(SoundFontError) {
      let found = try candidates.sound(named: wanted, path: name)
      return (found.bank, found.program)
    } catch {
      guard case .unknownSound = error,
        let found = candidates.first(where: { Int(wanted) == $0.program })
      else { throw ConfigurationProblem(error.description, at: SourcePosition(file: "--preset")) }
      return (found.bank, found.program)
    }
  }
}
