// auricle ctl bypass, soundfont, sound, entry, panic

import ArgumentParser
import FoundationEssentials
import Session

struct BypassCommand: ParsableCommand {
  enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

  static let configuration = CommandConfiguration(
    commandName: "bypass",
    abstract:
      "Turn a unit's bypass on or off. A bypassed unit passes its input through, or is silent without one."
  )

  @Argument(help: "The unit.", completion: .custom(completedUnits))
  var unit: String

  @Argument(help: ArgumentHelp("The new state of the bypass.", valueName: "on|off"))
  var state: Switch

  @OptionGroup var options: ControlOptions

  func run() throws { try options.ask(.bypass(unit: unit, isOn: state == .on)) }
}

struct LoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soundfont",
    abstract: "Load a SoundFont into a sampler, replacing its SoundFonts.",
    discussion: "Sounding notes ring out on the old one.")

  @Argument(help: "The sampler.", completion: .custom(completedUnits))
  var unit: String

  @Argument(
    help: "An SF2 or SF3 file, also by its name in the usual SoundFont folders.",
    completion: .custom(completedSoundFonts))
  var file: String

  @Option(help: "The bank, 0 to 127, or 128 for percussion.")
  var bank = 0

  @Option(help: "The program, 0 to 127.")
  var program = 0

  @OptionGroup var options: ControlOptions

  func run() throws {
    // The session's working folder may differ.
    let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let beside = here.appendingPathComponent(file).standardizedFileURL.path
    let isHere = !file.hasPrefix("/") && FileManager.default.fileExists(atPath: beside)
    try options.ask(
      .soundFont(unit: unit, file: isHere ? beside : file, bank: bank, program: program))
  }
}

struct SoundCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sound",
    abstract: "Choose a sound of a sampler's SoundFont, or list them.",
    discussion: "Sounding notes ring out on the old sound. The same as preset load.")

  @Argument(help: "The sampler.", completion: .custom(completedUnits))
  var unit: String

  @Argument(
    help: "The sound's name, in upper or lower case. Default: list the sounds.",
    completion: .custom(completedPresets))
  var sound: String?

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.ask(.preset(unit: unit, sound.map { .load($0) } ?? .list))
  }
}

struct EntryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "entry",
    abstract: "Select an entry of a sampler's live set, as a program change does.")

  @Argument(help: "The sampler.", completion: .custom(completedUnits))
  var unit: String

  @Argument(help: "The entry's name, or its number.", completion: .custom(completedPresets))
  var entry: String

  @Option(
    help: ArgumentHelp("The frame on which the entry takes over, as for set.", valueName: "frame"),
    transform: sessionFrame)
  var at: Int64?

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.ask(
      .entry(unit: unit, Int(entry).map { .number($0) } ?? .name(entry), frame: at))
  }
}

struct PanicCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "panic", abstract: "End all notes and tails, also notes sent to other clients.")

  @OptionGroup var options: ControlOptions

  func run() throws { try options.ask(.panic) }
}
