// Descriptions of components, as text and as JSON.

import Configuration
import MIDIStages
import MIDIStagesModel
import Platform
import UnitModel

/// A component with its busses, parameters and presets.
public struct ComponentReport: Codable, Sendable {
  public struct BusReport: Codable, Sendable {
    public let name: String
    public let channels: Int
  }

  public struct ParameterReport: Codable, Sendable {
    /// Kinds of values.
    public enum Kind: String, Codable, Sendable {
      case number
      /// Only whole numbers.
      case whole
      /// On and off.
      case `switch`
      /// Key numbers, also accepted by name.
      case note
      /// One of `values`.
      case choice
    }

    public let keyPath: String
    public let name: String
    public let address: UInt64
    public let minimum: Float
    public let maximum: Float
    public let defaultValue: Float
    /// The minimum as the unit writes it, without `unit`.
    public let minimumText: String
    /// The maximum as the unit writes it, without `unit`.
    public let maximumText: String
    /// The default value as the unit writes it, without `unit`.
    public let defaultText: String
    public let unit: String
    public let canRamp: Bool
    public let values: [String]
    public let kind: Kind
    /// Whether it takes only whole numbers.
    public let isWhole: Bool
    /// Whether it can change while the unit plays, by an entry of a live set or by MIDI.
    public let changesWhilePlaying: Bool
    /// Whether it is read-only: set only by the unit.
    public let isReading: Bool

    /// - Parameter keyPath: replaces the parameter's own.
    init(_ parameter: Parameter, keyPath: String? = nil) {
      self.keyPath = keyPath ?? parameter.keyPath
      name = parameter.displayName
      address = parameter.address
      minimum = parameter.range.lowerBound
      maximum = parameter.range.upperBound
      defaultValue = parameter.defaultValue
      minimumText = parameter.string(fromValue: minimum)
      maximumText = parameter.string(fromValue: maximum)
      defaultText = parameter.string(fromValue: defaultValue)
      unit = parameter.unitName
      canRamp = parameter.flags.contains(.canRamp)
      values = parameter.valueStrings
      kind =
        switch parameter.unit {
        case _ where !parameter.valueStrings.isEmpty: .choice
        case .boolean: .switch
        case .midiNoteNumber: .note
        default: parameter.isWhole ? .whole : .number
        }
      isWhole = parameter.isWhole
      changesWhilePlaying = !parameter.flags.contains(.nonRealTime)
      isReading = !parameter.flags.contains(.writable)
    }
  }

  /// A kind of MIDI stage with its configuration keys.
  public struct StageReport: Codable, Sendable {
    public let stage: String
    /// Key paths are relative to the stage's group; addresses are those of the first stage of its
    /// kind.
    public let parameters: [ParameterReport]
  }

  public struct PresetReport: Codable, Sendable {
    public let number: Int
    public let name: String
  }

  public let shortName: String
  public let codes: String
  public let name: String
  /// The name of the unit type.
  public let typeName: String
  /// Words for searches, the type's name first.
  public let tags: [String]
  public let manufacturer: String
  public let version: String
  public let inputs: [BusReport]
  /// The most inputs of a component with a variable number of them; nil for others.
  public let openInputs: Int?
  public let outputs: [BusReport]
  public let takesMIDI: Bool
  public let midiOutputs: [String]
  public let parameters: [ParameterReport]
  public let presets: [PresetReport]
  /// The stages that its `midi` array supports; empty without such an array.
  public let midiStages: [StageReport]

  /// Makes a unit of the component and describes it.
  /// - Throws: `InstantiationError`, or `PresetError` if the user's presets cannot be read.
  /// - Thread: [control]
  public init(_ component: Component, registry: ComponentRegistry) throws {
    let unit = try registry.makeUnit(of: component)
    shortName = component.shortName
    codes = component.description.codes
    name = component.name
    typeName = component.typeName
    tags = component.tags
    manufacturer = component.manufacturerName
    version = component.versionString
    let report = { (bus: Bus) in BusReport(name: bus.name, channels: bus.format.channelCount) }
    inputs = unit.inputBusses.map(report)
    openInputs = unit.inputBusses.isOpen ? unit.inputBusses.maximumBusCount : nil
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
        stage: stage.kind.rawValue,
        parameters: tree.allParameters.filter { $0.keyPath.hasPrefix(group) }.map {
          ParameterReport($0, keyPath: String($0.keyPath.dropFirst(group.count)))
        })
    }
  }

  /// The report as text, in several lines.
  public var text: String {
    var lines = ["\(shortName)  \(codes)  \(name) \(version), \(manufacturer)"]
    lines += ["tags: \(tags.map { printable($0, 255) }.joined(separator: ", "))", ""]
    for (title, busses) in [("inputs", inputs), ("outputs", outputs)] {
      let list = busses.map { "\($0.name) (\($0.channels) channels)" }.joined(separator: ", ")
      let open = title == "inputs" ? openInputs : nil
      let none = open.map { "up to \($0), which come and go" } ?? "none"
      lines.append("\(title): \(busses.isEmpty ? none : list)")
    }
    lines.append("MIDI: \(takesMIDI ? "in" : "none")\(midiOutputs.isEmpty ? "" : ", out")")
    lines += ["", parameters.isEmpty ? "parameters: none" : "parameters:"]
    lines += Self.lines(parameters)
    lines += ["", presets.isEmpty ? "presets: none" : "presets:"]
    lines += presets.map { "  \($0.number)  \(printable($0.name, 255))" }
    if midiStages.isEmpty { return lines.joined(separator: "\n") }
    lines += ["", "stages of midi = [ { stage = … } ], each with these keys:"]
    for stage in midiStages { lines += ["", stage.stage] + Self.lines(stage.parameters) }
    return lines.joined(separator: "\n")
  }

  /// Returns a line for each parameter, or for a group whose key paths differ only in a number,
  /// such as those of channels.
  private static func lines(_ parameters: [ParameterReport]) -> [String] {
    let groups = KeyPathGroup.groups(parameters.map(\.keyPath))
    let width = groups.map(\.text.count).max() ?? 0
    return groups.map { group in
      "  \(group.text.padded(to: width))  "
        + describe(parameters[group.members[0]])
    }
  }

  private static func describe(_ parameter: ParameterReport) -> String {
    func text(_ value: Float, _ text: String) -> String {
      parameter.isWhole ? "\(Int(value))" : text
    }
    let lowest = text(parameter.minimum, parameter.minimumText)
    let highest = text(parameter.maximum, parameter.maximumText)
    var range = "\(lowest) to \(highest) \(parameter.unit)"
    var standard = text(parameter.defaultValue, parameter.defaultText)
    if !parameter.values.isEmpty {
      (range, standard) = (parameter.values.joined(separator: " | "), parameter.defaultText)
    }
    let rest = parameter.isReading ? ", read-only" : ", default \(standard)"
    return range.trimmed + rest
      + (parameter.canRamp ? ", ramps" : "")
  }
}
