// auricle ctl connect, disconnect, insert, add, replace, remove

import ArgumentParser
import FoundationEssentials
import SessionModel

struct ConnectCommand: CombinableCommand {
  static let configuration = CommandConfiguration(
    commandName: "connect",
    abstract: "Connect a unit to another unit, or to ports of other clients.",
    discussion: "Its sound fades in within 128 frames.")

  @OptionGroup var ends: EndOptions
  @OptionGroup var moment: MomentOptions
  @OptionGroup var options: ControlOptions

  var command: SessionCommand { moment.of(.connect(from: ends.from, to: ends.to)) }
}

struct DisconnectCommand: CombinableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disconnect",
    abstract: "Remove a connection.",
    discussion: """
      Its sound fades out within 128 frames, and notes held through it end. Each end may have any of its names: \
      lowpass, lowpass:1 and lowpass:out are one output.
      """)

  @OptionGroup var ends: EndOptions
  @OptionGroup var moment: MomentOptions
  @OptionGroup var options: ControlOptions

  var command: SessionCommand { moment.of(.disconnect(from: ends.from, to: ends.to)) }
}

struct InsertCommand: CombinableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert", abstract: "Insert a unit into a connection.",
    discussion: """
      The connection ends, and both of its ends are connected to the unit, as one change. With a component the unit is \
      added first.
      """)

  @Argument(help: "The unit's id.", completion: .custom(completedUnits))
  var unit: String

  @Argument(
    help:
      "The component of a unit to add, as listed by auricle units. Without one, the unit exists already.",
    completion: .custom(completedComponents))
  var kind: String?

  @Argument(help: ArgumentHelp("A key of [[unit]] and its value.", valueName: "key=value"))
  var settings: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("The two ends of the connection, as for disconnect.", valueName: "ends"),
    completion: .custom(completedUnits))
  var between: [String]

  @OptionGroup var moment: MomentOptions
  @OptionGroup var options: ControlOptions

  func validate() throws {
    guard between.count == 2 else {
      throw ValidationError(
        "--between takes the two ends of a connection, after all else: insert echo delay --between piano lowpass"
      )
    }
  }

  var command: SessionCommand {
    let (from, to) = (between[0], between[1])
    let added = kind.map {
      SessionCommand.add(unit: unit, component: $0, settings: settings.withPathsFromHere)
    }
    return .together(
      [added].compactMap(\.self) + [
        .disconnect(from: from, to: to), .connect(from: from, to: unit),
        .connect(from: unit, to: to),
      ], frame: moment.at)
  }
}

/// The frame at which a change takes effect.
struct MomentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The frame on which it takes effect, as counted by status, up to a minute ahead. Default: the next cycle's first.",
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
      An unconnected unit has JACK ports. Settings are keys of [[unit]]: soundfont=FILE, preset=NAME, \
      parameters.cutoff=900.
      """)

  @OptionGroup var unit: NewUnitOptions
  @OptionGroup var moment: MomentOptions
  @OptionGroup var options: ControlOptions

  var command: SessionCommand {
    moment.of(
      .add(unit: unit.name, component: unit.kind, settings: unit.settings.withPathsFromHere))
  }
}

struct ReplaceCommand: CombinableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replace", abstract: "Replace a unit by another one.",
    discussion: "The new unit gets the connections of the former one, and crossfades with it.")

  @OptionGroup var unit: NewUnitOptions
  @OptionGroup var moment: MomentOptions
  @OptionGroup var options: ControlOptions

  var command: SessionCommand {
    moment.of(
      .replace(unit: unit.name, component: unit.kind, settings: unit.settings.withPathsFromHere))
  }
}

/// Arguments for a new unit.
struct NewUnitOptions: ParsableArguments {
  @Argument(
    help: "The unit's id, which begins the names of its ports.", completion: .custom(completedUnits)
  )
  var name: String

  @Argument(
    help: "The component, as listed by auricle units.", completion: .custom(completedComponents))
  var kind: String

  @Argument(help: ArgumentHelp("A key of [[unit]] and its value.", valueName: "key=value"))
  var settings: [String] = []
}

extension [String] {
  /// Settings of a unit with file names resolved here: the session's working folder may differ.
  fileprivate var withPathsFromHere: [String] {
    let here = URL(
      fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
    return map { setting in
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
    discussion: "Its sound fades out within 128 frames. undo restores it with its state.")

  @Flag(help: "End its notes and play its tail, for up to 30 seconds.")
  var ringOut = false

  @Argument(help: "The unit.", completion: .custom(completedUnits))
  var unit: String

  @OptionGroup var moment: MomentOptions
  @OptionGroup var options: ControlOptions

  var command: SessionCommand { moment.of(.remove(unit: unit, ringsOut: ringOut)) }
}
