// auricle ctl scene

import ArgumentParser
import Session

struct SceneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scene", abstract: "List, load, save and delete scenes of the session.",
    subcommands: [
      SceneListCommand.self, SceneLoadCommand.self, SceneSaveCommand.self,
      SceneDeleteCommand.self,
    ])
}

struct SceneListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the scenes, and what each has.")

  @OptionGroup var options: ControlOptions

  func run() throws { try options.ask(.scene(.list)) }
}

struct SceneLoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Set everything as a scene has it.",
    discussion: """
      Values, entries and bypasses take effect on one frame; where connections change, they come first, or with --at on \
      that frame too. undo takes all of it back.
      """)

  @Argument(help: "The scene's name.", completion: .custom(completedScenes))
  var name: String

  @Option(
    help: ArgumentHelp(
      "The frame on which it takes effect, as for set, up to a minute ahead; without it one that is soon.",
      valueName: "frame"),
    transform: sessionFrame)
  var at: Int64?

  @OptionGroup var options: ControlOptions

  func run() throws { try options.ask(.scene(.load(name, frame: at))) }
}

struct SceneSaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Save what units are set to as a scene, over an earlier one of the name.",
    discussion: """
      Without a PATH all values, bypasses, entries and connections; else what the units, groups and parameters are set \
      to that are named. The scene is part of the session: save writes it down.
      """)

  @Argument(help: "The scene's name.", completion: .custom(completedScenes))
  var name: String

  @Argument(
    help: "Units, groups of parameters, or parameters.", completion: .custom(completedPaths))
  var path: [String] = []

  @OptionGroup var options: ControlOptions

  func run() throws { try options.ask(.scene(.save(name, paths: path))) }
}

struct SceneDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a scene.")

  @Argument(help: "The scene's name.", completion: .custom(completedScenes))
  var name: String

  @OptionGroup var options: ControlOptions

  func run() throws { try options.ask(.scene(.delete(name))) }
}
