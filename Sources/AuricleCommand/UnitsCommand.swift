// auricle units

import ArgumentParser
import FoundationEssentials
import Tools
import UnitModel

struct UnitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "units",
    abstract: "List the components; with an ID, its parameters, ranges, presets and busses.")

  @Argument(help: "A component's short name (filter) or codes (aufx/lpas/Aurc).")
  var id: String?

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let registry = try HostComponents.makeRegistry()
    do {
      guard let id else {
        let reports = try registry.components.map { try ComponentReport($0, registry: registry) }
        if json { return try printJSON(reports) }
        for report in reports {
          try StandardOutput.write("\(report.shortName)  \(report.codes)  \(report.name)")
        }
        return
      }
      let report = try ComponentReport(registry.component(named: id), registry: registry)
      if json { return try printJSON(report) }
      try StandardOutput.write(report.text)
    } catch let error as InstantiationError {
      throw CommandFailure(message: harmless(error.description, isOneLine: true), status: 2)
    } catch let error as PresetError {
      throw CommandFailure.failed(error)
    }
  }
}

/// Prints a value as indented JSON with sorted keys.
func printJSON(_ value: some Encodable) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  try StandardOutput.writeData(String(decoding: try encoder.encode(value), as: UTF8.self))
}
