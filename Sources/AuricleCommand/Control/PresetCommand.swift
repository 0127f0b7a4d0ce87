// auricle ctl preset

import ArgumentParser
import Session

struct PresetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preset", abstract: "List, load, save and delete the presets of a unit.",
    subcommands: [
      PresetListCommand.self, PresetLoadCommand.self, PresetSaveCommand.self,
      PresetDeleteCommand.self,
    ])
}

struct PresetListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the presets of a unit, its own and the user's, and mark the one chosen last.")

  @Argument(help: "The unit.", completion: .custom(completedUnits))
  var unit: String

  @OptionGroup var options: ControlOptions

  func run() throws { try options.ask(.preset(unit: unit, .list)) }
}

struct PresetLoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Load a preset into a unit.")

  @OptionGroup var preset: PresetArguments

  func run() throws {
    try preset.options.ask(.preset(unit: preset.unit, .load(preset.name)))
  }
}

struct PresetSaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Save a unit's present state as a user preset, replacing one of the same name.")

  @OptionGroup var preset: PresetArguments

  func run() throws {
    try preset.options.ask(.preset(unit: preset.unit, .save(preset.name)))
  }
}

struct PresetDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a user preset.")

  @OptionGroup var preset: PresetArguments

  func run() throws {
    try preset.options.ask(.preset(unit: preset.unit, .delete(preset.name)))
  }
}

/// A unit and the name of a preset.
struct PresetArguments: ParsableArguments {
  @Argument(help: "The unit.", completion: .custom(completedUnits))
  var unit: String

  @Argument(help: "The preset's name.", completion: .custom(completedPresets))
  var name: String

  @OptionGroup var options: ControlOptions
}
