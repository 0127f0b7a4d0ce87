// auricle ctl map, unmap

import ArgumentParser
import SessionModel

struct MapCommand: CombinableCommand {
  static let configuration = CommandConfiguration(
    commandName: "map",
    abstract: "Map a MIDI controller to a parameter; without a PATH, list the mappings.",
    discussion: """
      Settings are keys of [[map]]: controller=74, channel=1, range=[200,8000], mode=toggle. Instead of PATH: \
      scene=Verse program=3, preset=lowpass/Warm, panic=true. The first mapping of a session connects all MIDI devices \
      to 'control', unless 'control' has a connection already.
      """)

  @Argument(help: "The parameter.", completion: .custom(completedPaths))
  var path: String?

  @Argument(
    help: ArgumentHelp("The controller, and how it moves the parameter.", valueName: "key=value"))
  var settings: [String] = []

  @OptionGroup var options: ControlOptions

  var command: SessionCommand {
    path.map { .map(path: $0, settings: settings) } ?? .mappings
  }
}

struct UnmapCommand: CombinableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unmap", abstract: "Remove the mappings of a parameter.")

  @Argument(help: "The parameter.", completion: .custom(completedMappings))
  var path: String

  @OptionGroup var options: ControlOptions

  var command: SessionCommand { .unmap(path: path) }
}

struct LearnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn",
    abstract: "Map the MIDI control that is moved next to a parameter.",
    discussion: """
      It recognises controllers of 7 and 14 bits, NRPN, pressure and pitch bend, and prints the mapping. Settings are \
      keys of [[map]]: range=[200,8000], pickup=scale.
      """)

  @Argument(help: "The parameter.", completion: .custom(completedPaths))
  var path: String

  @Argument(help: ArgumentHelp("How the control moves the parameter.", valueName: "key=value"))
  var settings: [String] = []

  @Option(help: ArgumentHelp("Time to wait for the control.", valueName: "seconds"))
  var timeout = SessionCommand.LearnOptions.usualSeconds

  @Flag(help: "Accept a key as the control too.")
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
