// auricle ctl watch

import ArgumentParser
import ControlSocket
import FoundationEssentials
import Glibc
import Remotes
import SessionModel

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print the values of parameters, then a line for each change, until a signal.",
    discussion: """
      Changes by MIDI, ramps and presets are included; a value in constant motion is printed about twenty times a second. \
      With --json each line is an object.
      """)

  @Argument(
    help: "Parameters, groups of them, or units.", completion: .custom(completedPaths))
  var path: [String]

  @OptionGroup var options: ControlOptions

  func run() throws {
    let session = try ControlOptions.failing {
      let session = try options.connect()
      try session.send(SessionWire.encode(.watch(paths: path)))
      return session
    }
    let now = try ControlOptions.failing { try SessionWire.answer(try session.nextLine()) }
    if case .parameters(let readings) = now { for reading in readings { try write(reading) } }
    while true {
      let change = try ControlOptions.failing {
        try SessionWire.change(try session.nextLine(isPatient: true))
      }
      if let change { try write(change) }
    }
  }

  private func write(_ reading: ParameterReading) throws {
    guard options.json else {
      return try StandardOutput.write("\(reading.path)  \(reading.textWithUnit)")
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try StandardOutput.writeData(String(decoding: try encoder.encode(reading), as: UTF8.self))
  }
}
