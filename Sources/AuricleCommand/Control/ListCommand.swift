// auricle ctl list, get, set, status, check

import ArgumentParser
import ControlSocket
import Glibc
import SessionModel

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the units; with a PATH, its parameters with values and ranges.")

  @Argument(help: "A unit, or a group of its parameters.", completion: .custom(completedPaths))
  var path: String?

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.ask(.list(path: path))
  }
}

struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Print the value of a parameter, in the form that set accepts.")

  @Argument(help: "The parameter.", completion: .custom(completedPaths))
  var path: String

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.ask(.get(path: path))
  }
}

struct SetCommand: CombinableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set a parameter, at once, in a ramp, or on a frame.",
    discussion: "A value is written as in configurations: a number, true or false, or a name.")

  @Argument(help: "The parameter.", completion: .custom(completedPaths))
  var path: String

  // An array, so that a value may begin with a minus.
  @Argument(
    parsing: .allUnrecognized, help: ArgumentHelp("Its new value.", valueName: "value"),
    completion: .custom(completedValues))
  var values: [String]

  @Option(help: ArgumentHelp("Duration of a ramp to the value.", valueName: "milliseconds"))
  var ramp: Double?

  @Option(
    help: ArgumentHelp(
      "The frame on which it begins, as counted by status. A past frame means at once.",
      valueName: "frame"),
    transform: sessionFrame)
  var at: Int64?

  @OptionGroup var options: ControlOptions

  func validate() throws {
    guard values.count == 1 else {
      throw ValidationError(
        values.isEmpty
          ? "a value is missing" : "one value at a time: \(values.joined(separator: " "))")
    }
    if let ramp, !(0...3_600_000).contains(ramp) {
      throw ValidationError("--ramp takes 0 to 3600000 milliseconds")
    }
  }

  var command: SessionCommand {
    // A shell passes only text: the session parses names and numbers.
    .set(
      path: path, value: .string(values[0]), rampMilliseconds: ramp, frame: at,
      reportsFrame: options.json)
  }
}

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the state of the session, its units and its JACK server.",
    discussion: """
      It measures the units for half a second: the share of the period that each takes, on average and at most, its \
      voices and events, the peaks of its inputs and outputs, its gain reduction and its latency.
      """)

  @OptionGroup var options: ControlOptions

  func run() throws {
    let answer = try ControlOptions.failing {
      let session = try options.connect()
      let first = try ControlOptions.ask(session, .status)
      // The first request has started the measurement.
      guard case .status(let status) = first, status.lacksMeasurement else { return first }
      usleep(500_000)
      return try ControlOptions.ask(session, .status)
    }
    try options.show(answer)
  }
}

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Tell in one line what the session lacks.",
    discussion: """
      Its JACK server, and ports of other clients that its connections wait for, such as those of a keyboard that is \
      not plugged in. The status is 1 if it lacks something.
      """)

  @OptionGroup var options: ControlOptions

  func run() throws {
    let answer = try ControlOptions.failing {
      try ControlOptions.ask(options.connect(), .status)
    }
    guard case .status(let status) = answer else { return }
    let missing = status.missing ?? []
    if options.json {
      try printJSON(["missing": missing])
    } else if missing.isEmpty {
      try StandardOutput.write("nothing is missing")
    }
    if missing.isEmpty { return }
    throw CommandFailure(
      message: "missing: \(harmless(missing.joined(separator: "; "), isOneLine: true))", status: 1)
  }
}
