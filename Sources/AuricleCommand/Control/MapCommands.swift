// auricle ctl map, unmap

import ArgumentParser
import Session

struct MapCommand: CombinableCommand {
  static let configuration = CommandConfiguration(
    commandName: "map",
    abstract: "Have a MIDI controller move a parameter; without a PATH, list what moves what.",
    discussion: """
      Settings are keys of [[map]]: controller=74, channel=1, range=[200,8000], mode=toggle. The first mapping of a \
      session is heard from all MIDI devices, unless something is connected to 'control' already.
      """)

  @Argument(help: "The parameter.", completion: .custom(completedPaths))
  var path: String?

  @Argument(help: ArgumentHelp("What moves it, and how.", valueName: "key=value"))
  var settings: [String] = []

  @OptionGroup var options: ControlOptions

  var command: SessionCommand {
    path.map { .map(path: $0, settings: settings) } ?? .mappings
  }
}

struct UnmapCommand: CombinableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unmap", abstract: "Have no controller move a parameter any more.")

  @Argument(help: "The parameter.", completion: .custom(completedMappings))
  var path: String

  @OptionGroup var options: ControlOptions

  var command: SessionCommand { .unmap(path: path) }
}
