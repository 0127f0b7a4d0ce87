// The JSON schema of configurations, generated from the program.

import Configuration
import FoundationEssentials
import Tools
import UnitModel

/// The schema by which editors complete and check configurations: JSON Schema, draft 7.
///
/// It knows the components, their keys and their parameters. The program checks more: names,
/// connections and files.
enum ConfigurationSchema {
  /// - Throws: an error of a component that cannot be made.
  /// - Thread: [control]
  static func make(_ registry: ComponentRegistry) throws -> Data {
    let schema = SchemaValue.object([
      "$schema": "http://json-schema.org/draft-07/schema#",
      "title": "Auricle session",
      "type": "object",
      "required": ["unit"],
      "additionalProperties": false,
      "properties": [
        "version": [
          "type": "integer", "minimum": 1,
          "maximum": .number(Double(SessionConfiguration.currentVersion)),
        ],
        "client": section(SectionKeys.client),
        "osc": section(SectionKeys.osc),
        "unit": ["type": "array", "minItems": 1, "items": try unit(registry)],
        "connect": list(SectionKeys.connect, required: SectionKeys.connect),
        "map": list(SectionKeys.map),
        "scene": list(SectionKeys.scene, required: ["name"]),
      ],
    ])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(schema) + Data("\n".utf8)
  }

  private static func section(_ keys: [String], required: [String] = []) -> SchemaValue {
    [
      "type": "object", "additionalProperties": false,
      "required": .array(required.map { .string($0) }),
      "properties": .object(Dictionary(uniqueKeysWithValues: keys.map { ($0, true) })),
    ]
  }

  private static func list(_ keys: [String], required: [String] = []) -> SchemaValue {
    ["type": "array", "items": section(keys, required: required)]
  }

  /// The schema of a unit: keys of all units, and those of each component.
  private static func unit(_ registry: ComponentRegistry) throws -> SchemaValue {
    var properties: [String: SchemaValue] = [:]
    for key in GeneralUnitKey.all {
      properties[key.name] = ["description": .string(key.meaning)]
    }
    properties["id"] = [
      "type": "string", "pattern": "^[A-Za-z0-9_-]{1,\(UnitName.maximumLength)}$",
      "description": "Names the unit and its ports",
    ]
    properties["component"] = [
      "anyOf": [
        ["enum": .array(registry.components.map { .string($0.shortName) })],
        ["type": "string", "pattern": "^[^/]*/[^/]*/[^/]*$"],
      ]
    ]
    var choices: [SchemaValue] = []
    for component in registry.components {
      let report = try ComponentReport(component, registry: registry)
      var own: [String: SchemaValue] = [:]
      for key in (component.unitType as? any ConfigurableUnit.Type)?.configurationKeys ?? [] {
        own[key.name] = true
        properties[key.name] = true
      }
      var parameters = ParameterSchema()
      for group in KeyPathGroup.groups(report.parameters.map(\.keyPath)) {
        let first = report.parameters[group.members[0]]
        if !first.isReading { parameters.add(first, at: group.text) }
      }
      own["parameters"] = parameters.schema
      choices.append([
        "if": ["properties": ["component": ["const": .string(report.shortName)]]],
        "then": ["properties": .object(own)],
      ])
    }
    return [
      "type": "object", "required": .array(GeneralUnitKey.requiredNames.map { .string($0) }),
      "additionalProperties": false, "properties": .object(properties), "allOf": .array(choices),
    ]
  }
}

/// The schema of a table of parameters, in which key paths are nested tables.
private struct ParameterSchema {
  private var leaf: SchemaValue?
  private var members: [String: ParameterSchema] = [:]

  /// - Parameter text: a key path; a part such as `1…16` stands for each of these numbers.
  mutating func add(_ parameter: ComponentReport.ParameterReport, at text: String) {
    add(Self.schema(of: parameter), at: text.split(separator: ".").map(String.init)[...])
  }

  private mutating func add(_ leaf: SchemaValue, at path: ArraySlice<String>) {
    guard let first = path.first else {
      self.leaf = leaf
      return
    }
    members[first, default: ParameterSchema()].add(leaf, at: path.dropFirst())
  }

  /// Units have more parameters than a new one of their component, such as those of more inputs, so
  /// that other names are accepted.
  var schema: SchemaValue {
    if let leaf, members.isEmpty { return leaf }
    let named = members.filter { !$0.key.contains("…") }.mapValues(\.schema)
    let numbered = members.filter { $0.key.contains("…") }.values.map(\.schema)
    var schema: [String: SchemaValue] = ["type": "object", "properties": .object(named)]
    if let any = numbered.first { schema["patternProperties"] = ["^[0-9]+$": any] }
    return .object(schema)
  }

  private static func schema(of parameter: ComponentReport.ParameterReport) -> SchemaValue {
    let range: SchemaValue = [
      "type": "number", "minimum": .number(Double(parameter.minimum)),
      "maximum": .number(Double(parameter.maximum)),
    ]
    let other: SchemaValue =
      switch parameter.kind {
      case .choice: ["enum": .array(parameter.values.map { .string($0) })]
      case .switch: ["type": "boolean"]
      // A name such as "C4", or a number with its unit.
      case .note, .number, .whole: ["type": "string"]
      }
    let row = ReferenceRow.rows(of: [parameter])[0]
    return [
      "anyOf": [range, other],
      "description": .string("\(parameter.name): \(row.values.replacing("`", with: ""))"),
    ]
  }
}
