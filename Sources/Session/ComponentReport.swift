// What a component offers, for people and for programs.

import Foundation
import UnitModel

/// A component with its busses, parameters and presets.
public struct ComponentReport: Codable, Sendable {
  public struct BusReport: Codable, Sendable {
    public let name: String
    public let channels: Int
  }

  public struct ParameterReport: Codable, Sendable {
    public let keyPath: String
    public let name: String
    public let address: UInt64
    public let minimum: Float
    public let maximum: Float
    public let defaultValue: Float
    public let unit: String
    public let canRamp: Bool
    public let values: [String]
  }

  public struct PresetReport: Codable, Sendable {
    public let number: Int
    public let name: String
  }

  public let shortName: String
  public let codes: String
  public let name: String
  public let manufacturer: String
  public let version: String
  public let inputs: [BusReport]
  public let outputs: [BusReport]
  public let takesMIDI: Bool
  public let midiOutputs: [String]
  public let parameters: [ParameterReport]
  public let presets: [PresetReport]

  /// Makes a unit of the component and looks at it.
  /// - Throws: `InstantiationError`, or `PresetError` when the user's presets cannot be read.
  /// - Thread: [control]
  public init(_ component: Component, registry: ComponentRegistry) throws {
    let unit = try registry.makeUnit(of: component)
    shortName = component.shortName
    codes = component.description.codes
    name = component.name
    manufacturer = component.manufacturerName
    version = component.versionString
    let report = { (bus: Bus) in BusReport(name: bus.name, channels: bus.format.channelCount) }
    inputs = unit.inputBusses.map(report)
    outputs = unit.outputBusses.map(report)
    takesMIDI = unit.virtualMIDICableCount > 0
    midiOutputs = unit.midiOutputNames
    parameters = unit.parameterTree.allParameters.map {
      ParameterReport(
        keyPath: $0.keyPath, name: $0.displayName, address: $0.address,
        minimum: $0.range.lowerBound,
        maximum: $0.range.upperBound, defaultValue: $0.defaultValue, unit: $0.unitName,
        canRamp: $0.flags.contains(.canRamp), values: $0.valueStrings)
    }
    presets = try (unit.factoryPresets + unit.userPresets).map {
      PresetReport(number: $0.number, name: $0.name)
    }
  }

  /// A text of several lines.
  public var text: String {
    var lines = ["\(shortName)  \(codes)  \(name) \(version), \(manufacturer)", ""]
    for (title, busses) in [("inputs", inputs), ("outputs", outputs)] {
      let list = busses.map { "\($0.name) (\($0.channels) channels)" }.joined(separator: ", ")
      lines.append("\(title): \(busses.isEmpty ? "none" : list)")
    }
    lines.append("MIDI: \(takesMIDI ? "in" : "none")\(midiOutputs.isEmpty ? "" : ", out")")
    lines += ["", "parameters:"]
    let width = parameters.map(\.keyPath.count).max() ?? 0
    for parameter in parameters {
      let range =
        parameter.values.isEmpty
        ? "\(parameter.minimum) to \(parameter.maximum) \(parameter.unit)"
        : parameter.values.joined(separator: " | ")
      lines.append(
        "  \(parameter.keyPath.padding(toLength: width, withPad: " ", startingAt: 0))  "
          + "\(range.trimmingCharacters(in: .whitespaces)), default \(parameter.defaultValue)"
          + (parameter.canRamp ? ", ramps" : ""))
    }
    lines += ["", presets.isEmpty ? "presets: none" : "presets:"]
    lines += presets.map { "  \($0.number)  \($0.name)" }
    return lines.joined(separator: "\n")
  }
}
