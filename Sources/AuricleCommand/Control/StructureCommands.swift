// auricle ctl connect, disconnect, add, replace, remove

import ArgumentParser
import Foundation
import SessionModel

struct ConnectCommand: CombinableCommand {
  static let configuration = CommandConfiguration(
    commandName: "connect",
    abstract: "Connect a unit with another one, or with ports of other clients.",
    discussion: "What sounds comes within 128 frames.")

  @OptionGroup var ends: EndOptions
  @OptionGroup var moment: MomentOptions
  @OptionGroup var options: ControlOptions

  var command: SessionCommand { moment.of(.connect(from: ends.from, to: ends.to)) }
}

struct DisconnectCommand: CombinableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disconnect",
    abstract: "Take a connection away.",
    discussion: """
      What sounds goes within 128 frames, and notes that are held through it end. The ends are named as they were when \
      they were connected.
      """)

  @OptionGroup var ends: EndOptions
  @OptionGroup var moment: MomentOptions
  @OptionGroup var options: ControlOptions

  var command: SessionCommand { moment.of(.disconnect(from: ends.from, to: ends.to)) }
}

/// The frame at which a change takes effect.
struct MomentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The frame on which it takes effect, as for set, up to a minute ahead; without it the next cycle's first.",
      valueName: "frame"),
    transform: sessionFrame)
  var at: Int64?

  func of(_ command: SessionCommand) -> SessionCommand {
    at.map { .together([command], frame: $0) } ?? command
  }
}

/// The two ends of a connection.
struct EndOptions: ParsableArguments {
  @Argument(
    help: "A unit, one of its busses, or ports of another client, as 'from' in [[connect]].",
    completion: .custom(completedUnits))
  var from: String

  @Argument(help: "The other end, as 'to' in [[connect]].", completion: .custom(completedUnits))
  var to: String
}

struct AddCommand: CombinableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a unit.",
    discussion: """
      It has ports of its own until it is connected. Settings are keys of [[unit]]: soundfont=FILE, preset=NAME, \
      parameters.cutoff=900.
      """)

  @OptionGroup var unit: NewUnitOptions
  @OptionGroup var moment: MomentOptions
  @OptionGroup var options: ControlOptions

  var command: SessionCommand {
    moment.of(.add(unit: unit.name, component: unit.kind, settings: unit.settingsFromHere))
  }
}

struct ReplaceCommand: CombinableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replace", abstract: "Put another unit in the place of one.",
    discussion: "It has the connections of the former one, and crossfades with it.")

  @OptionGroup var unit: NewUnitOptions
  @OptionGroup var moment: MomentOptions
  @OptionGroup var options: ControlOptions

  var command: SessionCommand {
    moment.of(.replace(unit: unit.name, component: unit.kind, settings: unit.settingsFromHere))
  }
}

/// Arguments for a new unit.
struct NewUnitOptions: ParsableArguments {
  @Argument(help: "The unit's name, which its ports have.", completion: .custom(completedUnits))
  var name: String

  @Argument(
    help: "What it is, as auricle units tells it.", completion: .custom(completedComponents))
  var kind: String

  @Argument(help: ArgumentHelp("What it is set to at first.", valueName: "key=value"))
  var settings: [String] = []

  /// Settings with file names resolved here: the session's working folder may differ.
  var settingsFromHere: [String] {
    let here = URL(
      fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
    return settings.map { setting in
      for key in ["soundfont=", "file="] where setting.hasPrefix(key) {
        let path = here.appendingPathComponent(String(setting.dropFirst(key.count)))
          .standardizedFileURL.path
        let isHere = !setting.hasPrefix(key + "/") && FileManager.default.fileExists(atPath: path)
        return isHere ? key + path : setting
      }
      return setting
    }
  }
}

struct RemoveCommand: CombinableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a unit with its connections.",
    discussion: "What it plays fades within 128 frames. undo brings it back as it was.")

  @Flag(help: "End its notes and let its tail ring out, up to 30 seconds.")
  var ringOut = false

  @Argument(help: "The unit.", completion: .custom(completedUnits))
  var unit: String

  @OptionGroup var moment: MomentOptions
  @OptionGroup var options: ControlOptions

  var command: SessionCommand { moment.of(.remove(unit: unit, ringsOut: ringOut)) }
}
