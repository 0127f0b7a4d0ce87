// The list of unit classes in docs/Engine.md agrees with the classes.

import Auricle
import AuricleHost
import Foundation
import Testing

@Suite struct UnitClassTests {
  private struct Row {
    let unit: String
    let component: String
    let arguments: [String]
    let settings: [String]
  }

  private let rows: [Row]
  private let units: [AudioUnit]

  init() throws {
    let page = try String(
      contentsOf: LibraryExports.root.appendingPathComponent("docs/Engine.md"), encoding: .utf8)
    let line = /\n- `(\w+)(?:\(([\w:]+)\))?`, `([\w-]+)`: ((?:`\w+`,?\s+)*`\w+`)\.(?=\n)/
    rows = page.matches(of: line).map { match in
      Row(
        unit: String(match.1), component: String(match.3),
        arguments: (match.2 ?? "").split(separator: ":").map(String.init),
        settings: match.4.matches(of: /\w+/).map { String($0.output) })
    }
    units = try BuiltInComponents.all.map { try ComponentRegistry.shared.makeUnit(of: $0) }
  }

  @Test func thePageOfTheEngineListsEachBuiltInClass() {
    #expect(rows.map(\.unit) == units.map { "\(type(of: $0))" })
    #expect(rows.map(\.component) == BuiltInComponents.all.map(\.shortName))
  }

  @Test func itListsTheTypedParametersOfEachClass() {
    for (row, unit) in zip(rows, units) {
      var parameters: Set<String> = []
      var mirror: Mirror? = Mirror(reflecting: unit)
      while let level = mirror {
        for child in level.children where child.value is Parameter {
          if let label = child.label, label.hasPrefix("_") {
            parameters.insert(String(label.dropFirst()))
          }
        }
        mirror = level.superclassMirror
      }
      #expect(parameters.subtracting(row.settings).isEmpty, "\(row.unit)")
    }
  }

  @Test func itsSettingsAndArgumentsAreDeclared() throws {
    let texts = try LibraryExports().modules.flatMap(LibraryExports.sources).map {
      try String(contentsOf: $0, encoding: .utf8)
    }
    for (row, unit) in zip(rows, units) {
      let classes = unit is DynamicsProcessor ? [row.unit, "DynamicsProcessor"] : [row.unit]
      let text = texts.filter { text in
        classes.contains { text.contains("class \($0)") || text.contains("extension \($0)") }
      }.joined()
      for setting in row.settings {
        let declaration = try Regex("\\n  [^\\n/]*public [^\\n]*(?:var|let|func) \(setting)\\b")
        let isDeclared = text.contains(declaration)
        #expect(isDeclared, "\(row.unit).\(setting)")
      }
      #expect(Set(row.arguments) == Self.arguments(ofInitializersIn: text), "\(row.unit)")
    }
  }

  /// Returns labels; for an argument without one, its type.
  private static func arguments(ofInitializersIn text: String) -> Set<String> {
    var names: Set<String> = []
    for initializer in text.matches(of: /\n  public (?:convenience )?init\(([^{]*)\{/) {
      for argument in initializer.1.matches(of: /(\w+)(?: \w+)?: (\w+|\[)/) {
        names.insert(String(argument.1 == "_" ? argument.2 : argument.1))
      }
    }
    return names.subtracting(["componentDescription"])
  }
}
