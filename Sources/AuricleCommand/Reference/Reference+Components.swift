// Reference of units: components, their parameters, MIDI stages, general keys.

import Configuration
import Tools
import UnitModel

extension Reference {
  static func components(_ registry: ComponentRegistry) throws -> [String] {
    let rows = try registry.components.map { component in
      let report = try ComponentReport(component, registry: registry)
      let busses = { (busses: [ComponentReport.BusReport]) in
        busses.isEmpty ? "none" : busses.map { "\($0.channels) channels" }.joined(separator: ", ")
      }
      let midi = [report.takesMIDI ? "in" : nil, report.midiOutputs.isEmpty ? nil : "out"]
        .compactMap { $0 }
      return [
        "`\"\(report.shortName)\"`", "`\"\(report.codes)\"`", report.name,
        report.openInputs.map { "up to \($0) inputs" } ?? busses(report.inputs),
        busses(report.outputs), midi.isEmpty ? "none" : midi.joined(separator: ", "),
        report.tags.joined(separator: ", "),
      ]
    }
    let heading = ["`component`", "or", "what it is", "audio in", "audio out", "MIDI", "tags"]
    return table([heading] + rows)
  }

  /// Returns a unit's parameters and factory presets; nil for an unknown component.
  static func parameters(of name: String, _ registry: ComponentRegistry) throws -> [String]? {
    guard let component = registry.components.first(where: { $0.shortName == name }) else {
      return nil
    }
    let report = try ComponentReport(component, registry: registry)
    var lines = lines(ReferenceRow.rows(of: report.parameters))
    let presets = report.presets.filter { $0.number >= 0 }.map { "`\"\($0.name)\"`" }
    if !presets.isEmpty {
      lines += [""] + wrapped("Factory presets: \(presets.joined(separator: ", ")).")
    }
    return lines
  }

  /// Returns the configuration keys of a kind of MIDI stage; nil for an unknown one.
  static func stage(_ name: String, _ registry: ComponentRegistry) throws -> [String]? {
    for component in registry.components {
      let report = try ComponentReport(component, registry: registry)
      guard let stage = report.midiStages.first(where: { $0.stage == name }) else { continue }
      return lines(ReferenceRow.keys(of: stage))
    }
    return nil
  }

  /// The general keys of units.
  static var unitKeys: [String] {
    let rows = GeneralUnitKey.all.map { ["`\($0.name)`", $0.values, $0.standard, $0.meaning] }
    return table([ReferenceRow.heading] + rows)
  }

  /// Returns a table, followed by the values that are too long for a cell.
  private static func lines(_ rows: [ReferenceRow]) -> [String] {
    let long = rows.filter(\.isLong).flatMap { row in
      [""] + wrapped("`\(row.key)`: \(row.values).")
    }
    return table([ReferenceRow.heading] + rows.map(\.cells)) + long
  }
}
