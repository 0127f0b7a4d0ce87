// auricle ctl map, unmap

import ArgumentParser
import SessionModel

struct MapCommand: CombinableCommand {
  static let configuration = CommandConfiguration(
    commandName: "map",
    abstract: "Have a MIDI controller move a parameter; without a PATH, list what moves what.",
    discussion: """
      Settings are keys of [[map]]: controller=74, channel=1, range=[200,8000], mode=toggle. For PATH may stand what \
      else is done: scene=Verse program=3, preset=lowpass/Warm, panic=true. The first mapping of a session is heard from all MIDI devices, unless something is connected to 'control' already.
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

struct LearnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn",
    abstract: "Have the MIDI control that is moved next move a parameter.",
    discussion: """
      Controllers of 7 and 14 bits, NRPN, pressure and bends are told apart. Settings are keys of [[map]] for how it \
      moves: range=[200,8000], pickup=scale. What has been learnt is printed.
      """)

  @Argument(help: "The parameter.", completion: .custom(completedPaths))
  var path: String

  @Argument(help: ArgumentHelp("How it is moved.", valueName: "key=value"))
  var settings: [String] = []

  @Option(help: ArgumentHelp("How long to wait for the control.", valueName: "seconds"))
  var timeout = SessionCommand.LearnOptions.usualSeconds

  @Flag(help: "Take a key, too.")
  var notes = false

  @OptionGroup var options: ControlOptions

  func validate() throws {
    guard SessionCommand.LearnOptions.seconds.contains(timeout) else {
      throw ValidationError("--timeout takes 1 to 3600 seconds")
    }
  }

  func run() throws {
    try options.ask(
      .learn(
        path: path, settings: settings,
        SessionCommand.LearnOptions(timeoutSeconds: timeout, takesNotes: notes)),
      isPatient: true)
  }
}
