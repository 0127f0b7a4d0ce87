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
    commandName: "list", abstract: "List the scenes and their contents.")

  @OptionGroup var options: ControlOptions

  func run() throws { try options.ask(.scene(.list)) }
}

struct SceneLoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Load a scene.",
    discussion: """
      Values, entries and bypasses take effect on one frame. Changed connections come first, or on the same frame with \
      --at. undo takes all of it back.
      """)

  @Argument(help: "The scene's name.", completion: .custom(completedScenes))
  var name: String

  @Option(
    help: ArgumentHelp(
      "The frame on which it takes effect, as counted by status, up to a minute ahead. Default: within some cycles.",
      valueName: "frame"),
    transform: sessionFrame)
  var at: Int64?

  @OptionGroup var options: ControlOptions

  func run() throws { try options.ask(.scene(.load(name, frame: at))) }
}

struct SceneSaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Save the current state as a scene, replacing one of the same name.",
    discussion: """
      Without a PATH the scene has all values, bypasses, entries and connections; otherwise the values of the named \
      units, groups and parameters. It is part of the session: save writes it to the file.
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
