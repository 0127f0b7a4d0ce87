// What a component offers, for people and for programs.

import Foundation
import MIDIKernel
import MIDIKernelModel
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
    /// Whether it has whole numbers alone.
    public let isWhole: Bool
    /// Whether only the unit sets it.
    public let isReading: Bool

    /// - Parameter keyPath: in place of the parameter's own.
    init(_ parameter: Parameter, keyPath: String? = nil) {
      self.keyPath = keyPath ?? parameter.keyPath
      name = parameter.displayName
      address = parameter.address
      minimum = parameter.range.lowerBound
      maximum = parameter.range.upperBound
      defaultValue = parameter.defaultValue
      unit = parameter.unitName
      canRamp = parameter.flags.contains(.canRamp)
      values = parameter.valueStrings
      isWhole = parameter.isWhole
      isReading = !parameter.flags.contains(.writable)
    }
  }

  /// A kind of MIDI stage with the keys that configurations give it.
  public struct StageReport: Codable, Sendable {
    public let stage: String
    /// The key paths are those below the stage's group; the addresses those of the first stage of its kind.
    public let parameters: [ParameterReport]
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
  /// The stages that its `midi` array may have, of a component that has one.
  public let midiStages: [StageReport]

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
    parameters = unit.parameterTree.allParameters.map { ParameterReport($0) }
    presets = try (unit.factoryPresets + unit.userPresets).map {
      PresetReport(number: $0.number, name: $0.name)
    }
    midiStages = unit is any MIDIChainUnit ? try Self.stages() : []
  }

  private static func stages() throws -> [StageReport] {
    let layout = MIDIChainLayout(MIDIStageKind.allCases)
    let tree = try ParameterTree(children: [layout.parameterGroup()])
    return layout.stages.map { stage in
      let group = stage.keyPath + "."
      return StageReport(
        stage: stage.kind.identifier,
        parameters: tree.allParameters.filter { $0.keyPath.hasPrefix(group) }.map {
          ParameterReport($0, keyPath: String($0.keyPath.dropFirst(group.count)))
        })
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
    lines += ["", parameters.isEmpty ? "parameters: none" : "parameters:"]
    lines += Self.lines(parameters)
    lines += ["", presets.isEmpty ? "presets: none" : "presets:"]
    lines += presets.map { "  \($0.number)  \($0.name)" }
    if midiStages.isEmpty { return lines.joined(separator: "\n") }
    lines += ["", "stages of midi = [ { stage = … } ], each with these keys:"]
    for stage in midiStages { lines += ["", stage.stage] + Self.lines(stage.parameters) }
    return lines.joined(separator: "\n")
  }

  /// A line for each parameter; one for those that differ in a number alone, such as those of channels.
  private static func lines(_ parameters: [ParameterReport]) -> [String] {
    var shown: [(keyPath: String, parameter: ParameterReport)] = []
    for parameter in parameters {
      let parts = parameter.keyPath.split(separator: ".", omittingEmptySubsequences: false)
      let general = parts.map { Int($0) == nil ? String($0) : "#" }.joined(separator: ".")
      if !shown.contains(where: { $0.keyPath == general }) { shown.append((general, parameter)) }
    }
    let named = shown.map { item in
      (name: numbered(item.keyPath, in: parameters), parameter: item.parameter)
    }
    let width = named.map(\.name.count).max() ?? 0
    return named.map { item in
      "  \(item.name.padding(toLength: width, withPad: " ", startingAt: 0))  "
        + describe(item.parameter)
    }
  }

  /// A key path with the range of its number in place of `#`.
  private static func numbered(_ general: String, in parameters: [ParameterReport]) -> String {
    guard general.contains("#") else { return general }
    let place = general.split(separator: ".").firstIndex(of: "#") ?? 0
    let numbers = parameters.compactMap { parameter -> Int? in
      let parts = parameter.keyPath.split(separator: ".")
      let isOne = parts.map { Int($0) == nil ? String($0) : "#" }.joined(separator: ".") == general
      return isOne ? Int(parts[place]) : nil
    }
    let range = "\(numbers.min() ?? 1)…\(numbers.max() ?? 1)"
    return general.replacingOccurrences(of: "#", with: range)
  }

  private static func describe(_ parameter: ParameterReport) -> String {
    func text(_ value: Float) -> String { parameter.isWhole ? "\(Int(value))" : "\(value)" }
    var range = "\(text(parameter.minimum)) to \(text(parameter.maximum)) \(parameter.unit)"
    var standard = text(parameter.defaultValue)
    if !parameter.values.isEmpty {
      range = parameter.values.joined(separator: " | ")
      let place = Int(parameter.defaultValue - parameter.minimum)
      if parameter.values.indices.contains(place) { standard = parameter.values[place] }
    }
    let rest = parameter.isReading ? ", read-only" : ", default \(standard)"
    return range.trimmingCharacters(in: .whitespaces) + rest
      + (parameter.canRamp ? ", ramps" : "")
  }
}
