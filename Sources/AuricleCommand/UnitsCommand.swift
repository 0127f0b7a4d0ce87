// auricle units

import ArgumentParser
import Configuration
import FoundationEssentials
import Tools
import UnitModel

struct UnitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "units",
    abstract: "List the components, or show the parameters, ranges, presets and busses of one.",
    discussion: """
      A short name or full codes show that component. Codes with a * and tags list all components that match.
      """)

  @Argument(
    help: "A component's short name (filter) or codes (aufx/lpas/Aurc, * for any).",
    completion: .custom(completedComponents))
  var pattern: String?

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp(
      "List the components with this tag, such as reverb, in any case; can be repeated for several.",
      valueName: "tag"))
  var tags: [String] = []

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let registry = try HostComponents.makeRegistry()
    do {
      let components = try matching(registry)
      if let pattern, tags.isEmpty, !pattern.contains("*") {
        let report = try ComponentReport(components[0], registry: registry)
        return json ? try printJSON(report) : try StandardOutput.write(report.text)
      }
      if json {
        return try printJSON(components.map { try ComponentReport($0, registry: registry) })
      }
      for component in components {
        try StandardOutput.write(
          "\(component.shortName)  \(component.description.codes)  \(component.name)")
      }
    } catch let error as InstantiationError {
      throw CommandFailure(message: harmless(error.description, isOneLine: true), status: 2)
    } catch let error as PresetError {
      throw CommandFailure.failed(error)
    }
  }

  /// Returns the components that match the pattern and have all tags, at least one.
  private func matching(_ registry: ComponentRegistry) throws -> [Component] {
    let components =
      try pattern.map { try registry.components(named: $0) } ?? registry.components
    let known = Set(registry.components.flatMap(\.tags).map { $0.lowercased() })
    for tag in tags where !known.contains(tag.lowercased()) {
      throw CommandFailure(
        message: "no component has the tag \"\(printable(tag, 80))\"; accepted: "
          + known.sorted().map { printable($0, 80) }.joined(separator: ", "), status: 2)
    }
    let found = components.filter { component in tags.allSatisfy(component.hasTag) }
    guard found.isEmpty, !tags.isEmpty else { return found }
    throw CommandFailure(
      message: "no component matches all of these: "
        + ([pattern].compactMap { $0 } + tags).map { printable($0, 80) }.joined(separator: ", "),
      status: 2)
  }
}

/// Prints a value as indented JSON with sorted keys.
func printJSON(_ value: some Encodable) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  try StandardOutput.writeData(String(decoding: try encoder.encode(value), as: UTF8.self))
}
