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
      A unit's bypass is included with the unit. With --json each line is an object.
      """)

  @Argument(
    help: "Parameters, groups of them, or units.", completion: .custom(completedPaths))
  var path: [String] = []

  @Option(
    help: ArgumentHelp(
      "A unit whose levels are printed twenty times a second, * for all; can be repeated.",
      valueName: "unit"),
    completion: .custom(completedUnits))
  var meters: [String] = []

  @Option(
    help: ArgumentHelp(
      "graph, session or load: ports and connections, file and presets, xruns; can be repeated.",
      valueName: "topic"))
  var topic: [SessionCommand.WatchTopic] = []

  @Option(
    help: ArgumentHelp(
      "A unit whose loudness and loudest frequency are printed; can be repeated.",
      valueName: "unit"),
    completion: .custom(completedUnits))
  var spectra: [String] = []

  @OptionGroup var options: ControlOptions

  func validate() throws {
    if path.isEmpty && meters.isEmpty && topic.isEmpty && spectra.isEmpty {
      throw ValidationError(
        "give a parameter, group or unit to watch, or --meters UNIT, --spectra UNIT or --topic TOPIC"
      )
    }
  }

  func run() throws {
    let session = try ControlOptions.failing {
      let session = try options.connect()
      try session.send(
        SessionWire.encode(
          .watch(paths: path, meters: meters, topics: topic, spectra: spectra)))
      return session
    }
    let now = try ControlOptions.failing { try SessionWire.answer(try session.nextLine()) }
    if case .parameters(let readings) = now {
      for reading in readings { try write(.change(reading)) }
    }
    while true {
      let notice = try ControlOptions.failing {
        try SessionWire.notice(try session.nextLine(isPatient: true))
      }
      if let notice { try write(notice) }
    }
  }

  private func write(_ notice: SessionNotice) throws {
    switch notice {
    case .change(let reading):
      try write(reading, as: ["\(reading.path)  \(reading.textWithUnit)"])
    case .bypass(let reading):
      try write(reading, as: ["\(reading.unit)  \(reading.on ? "bypassed" : "not bypassed")"])
    case .meters(let reading):
      try write(
        reading, as: reading.units.sorted { $0.key < $1.key }.map { "\($0)  \($1.text)" })
    case .graph(let reading):
      try write(
        reading,
        as: ["graph  \(reading.units.map(\.id).joined(separator: ", "))"]
          + reading.connections.map { "\($0.from) -> \($0.to)  \($0.kind.rawValue)" })
    case .session(let reading):
      let missing = reading.missing.map { ", missing: \($0.joined(separator: ", "))" } ?? ""
      try write(
        reading,
        as: [
          "session  \(reading.file ?? "no file"), "
            + "\(reading.isDirty ? "unsaved" : "saved"), \(reading.changes) changes\(missing)"
        ])
    case .load(let reading):
      try write(
        reading,
        as: [
          "load  \(reading.load.map { "\(Int($0.rounded())) %, " } ?? "")\(reading.xruns) xruns"
        ])
    case .spectra(let reading):
      try write(
        reading,
        as: reading.units.sorted { $0.key < $1.key }.map { "\($0)  \($1.text)" })
    // Not requested; `auricle monitor` does.
    case .midi: break
    }
  }

  private func write(_ reading: some Encodable, as lines: [String]) throws {
    guard options.json else {
      for line in lines { try StandardOutput.write(line, needsReader: true) }
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(reading), as: UTF8.self)
    try StandardOutput.writeData(text, needsReader: true)
  }
}

extension SessionCommand.WatchTopic: ExpressibleByArgument {}
