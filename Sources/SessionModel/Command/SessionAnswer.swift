// Answers of a session to commands.

import Configuration
import ControlUnit
public import UnitModel

/// The result of an executed command. Its JSON form is an object with one key, named after the
/// content; an empty object confirms a change.
public enum SessionAnswer: Sendable, Equatable {
  case done
  case units([UnitReading])
  case parameters([ParameterReading])
  case parameter(ParameterReading)
  case presets([PresetReading])
  case status(SessionStatus)
  case saved(SaveReading)
  /// Changes that were undone or redone, in this order.
  case changes([ChangeReading])
  /// Mappings from controllers to parameters and triggers.
  case mappings([MappingReading])
  /// The frame on which a change took effect, or began to.
  case frame(Int64)
  case scenes([SceneReading])
  case journal(JournalReading)
  case hello(HelloReading)
  case choices([ChoiceReading])
  case response(ResponseReading)
  case view(ViewReading)
  /// nil for a unit without content.
  case waveform(Waveform?)
}

extension SessionAnswer: Codable {
  private enum Key: String, CodingKey {
    case units, parameters, parameter, presets, status, saved, changes, mappings, frame, scenes,
      journal, hello, choices, response, view, waveform
  }

  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    switch object.allKeys.first {
    case .units?: self = .units(try object.decode([UnitReading].self, forKey: .units))
    case .parameters?:
      self = .parameters(try object.decode([ParameterReading].self, forKey: .parameters))
    case .parameter?:
      self = .parameter(try object.decode(ParameterReading.self, forKey: .parameter))
    case .presets?: self = .presets(try object.decode([PresetReading].self, forKey: .presets))
    case .status?: self = .status(try object.decode(SessionStatus.self, forKey: .status))
    case .saved?: self = .saved(try object.decode(SaveReading.self, forKey: .saved))
    case .changes?: self = .changes(try object.decode([ChangeReading].self, forKey: .changes))
    case .mappings?:
      self = .mappings(try object.decode([MappingReading].self, forKey: .mappings))
    case .scenes?: self = .scenes(try object.decode([SceneReading].self, forKey: .scenes))
    case .journal?: self = .journal(try object.decode(JournalReading.self, forKey: .journal))
    case .choices?: self = .choices(try object.decode([ChoiceReading].self, forKey: .choices))
    case .response?:
      self = .response(try object.decode(ResponseReading.self, forKey: .response))
    case .view?: self = .view(try object.decode(ViewReading.self, forKey: .view))
    case .waveform?:
      self = .waveform(try object.decode(Waveform?.self, forKey: .waveform))
    case .hello?: self = .hello(try object.decode(HelloReading.self, forKey: .hello))
    case .frame?: self = .frame(try object.decode(Int64.self, forKey: .frame))
    case nil: self = .done
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    switch self {
    case .done: break
    case .units(let units): try object.encode(units, forKey: .units)
    case .parameters(let parameters): try object.encode(parameters, forKey: .parameters)
    case .parameter(let parameter): try object.encode(parameter, forKey: .parameter)
    case .presets(let presets): try object.encode(presets, forKey: .presets)
    case .status(let status): try object.encode(status, forKey: .status)
    case .saved(let saved): try object.encode(saved, forKey: .saved)
    case .changes(let changes): try object.encode(changes, forKey: .changes)
    case .mappings(let mappings): try object.encode(mappings, forKey: .mappings)
    case .scenes(let scenes): try object.encode(scenes, forKey: .scenes)
    case .journal(let journal): try object.encode(journal, forKey: .journal)
    case .choices(let choices): try object.encode(choices, forKey: .choices)
    case .response(let response): try object.encode(response, forKey: .response)
    case .view(let view): try object.encode(view, forKey: .view)
    case .waveform(let waveform): try object.encode(waveform, forKey: .waveform)
    case .hello(let hello): try object.encode(hello, forKey: .hello)
    case .frame(let frame): try object.encode(frame, forKey: .frame)
    }
  }
}

/// A snapshot of a unit of a session.
public struct UnitReading: Sendable, Hashable, Codable {
  public let id: String
  /// The component's short name, or its codes; `control` for the control unit.
  public let component: String
  public let isBypassed: Bool
  /// The preset or entry that was chosen last.
  public let preset: String?
  /// The sounds that MIDI has chosen in its place, as text: "channel 2: Violin"; nil for none.
  public let chosenByMIDI: String?
  /// Whether it has a view of its own.
  public let hasView: Bool

  package init(_ unit: AudioUnit, id: String) {
    self.id = id
    component =
      unit is ControlUnit ? "control" : unit.component?.shortName ?? unit.componentDescription.codes
    isBypassed = unit.shouldBypassEffect
    preset = unit.chosenPreset?.name
    hasView = unit.providesUserInterface
    chosenByMIDI = (unit as? any ReportingUnit)?.soundsChosenByMIDI
  }
}

/// A snapshot of a parameter.
public struct ParameterReading: Sendable, Hashable, Codable {
  /// The path, such as `piano/midi/transpose/semitones`.
  public let path: String
  /// The number, in `unit`; during a ramp the value that it has reached.
  public let value: Float
  /// The value as `set` accepts it: its name if it has one.
  public let text: String
  public let unit: String
  public let minimum: Float
  public let maximum: Float
  /// The names of its values, from `minimum` on; empty if they have none.
  public let values: [String]
  /// Whether `set` may give a ramp.
  public let canRamp: Bool
  /// Whether only the unit sets it.
  public let isReading: Bool
  /// The features by which a view shows it; nil in notices.
  public var display: ParameterDisplay?

  /// - Parameter value: the value to report; nil for the current one.
  package init(
    _ parameter: Parameter, of id: String, value reported: Float? = nil, hasDisplay: Bool = false
  ) {
    display = hasDisplay ? ParameterDisplay(parameter) : nil
    path = SessionPath(unit: id, keyPath: parameter.keyPath).text
    value = reported ?? parameter.value
    text = parameter.string(fromValue: value)
    unit = parameter.unitName
    minimum = parameter.range.lowerBound
    maximum = parameter.range.upperBound
    values = parameter.valueStrings
    canRamp = parameter.flags.contains(.canRamp)
    isReading = !parameter.flags.contains(.writable)
  }
}

/// The features by which a view shows a parameter.
public struct ParameterDisplay: Sendable, Hashable, Codable {
  /// The name for people: "Cutoff".
  public let name: String
  /// The value of a new unit.
  public let standard: Float
  /// Whether its scale is logarithmic.
  public let isLogarithmic: Bool
  /// Whether it has whole values only.
  public let isWhole: Bool

  package init(_ parameter: Parameter) {
    name = parameter.displayName
    standard = parameter.defaultValue
    isLogarithmic = parameter.flags.contains(.displayLogarithmic)
    isWhole = parameter.isWhole
  }
}

/// A preset of a unit, or an entry of its live set.
public struct PresetReading: Sendable, Hashable, Codable {
  public let name: String
  /// 0 and above for factory presets and entries, below 0 for the user's.
  public let number: Int
  /// Whether it was chosen last.
  public let isCurrent: Bool
  /// The bank, from 0, and the program, 0 to 127, of a SoundFont's sound; nil for others.
  public let bank, program: Int?

  package init(
    name: String, number: Int, isCurrent: Bool, sound: (bank: Int, program: Int)? = nil
  ) {
    self.name = name
    self.number = number
    self.isCurrent = isCurrent
    (bank, program) = (sound?.bank, sound?.program)
  }

  /// Bank and program of a sound, such as "128:25"; "" for others.
  package var soundText: String {
    guard let bank, let program else { return "" }
    return "\(bank):\(program)"
  }
}

/// The files that a save has written.
public struct SaveReading: Sendable, Hashable, Codable {
  public let file: String
  /// The copy of the former file, made if comments or a manual layout were lost; nil if none was
  /// made.
  public let backup: String?
  /// The ids of the units that were not saved, because only a program has their kind; nil for none.
  public var leftOut: [String]?

  package init(file: String, backup: String?, leftOut: [String]? = nil) {
    self.file = file
    self.backup = backup
    self.leftOut = leftOut
  }
}

/// An undone or redone change.
public struct ChangeReading: Sendable, Hashable, Codable {
  /// The parameter or unit that was changed: `piano/gain`, or a unit.
  public let path: String
  /// A description: "lowpass/cutoff from 900 to 2000".
  public let text: String
  /// Whether it was undone; false if it was redone.
  public let isUndone: Bool

  package init(path: String, text: String, isUndone: Bool) {
    self.path = path
    self.text = text
    self.isUndone = isUndone
  }
}

/// A mapping from a controller to a parameter or a trigger.
public struct MappingReading: Sendable, Hashable, Codable {
  /// The parameter's path; `scene=NAME`, `preset=UNIT/NAME` or `panic=true` for another target.
  public let path: String
  /// The settings as `map` accepts them: `controller=74`, `range=[200, 8000]`.
  public let settings: [String]

  package init(_ mapping: MappingConfiguration) {
    path = mapping.target.value.text
    settings = mapping.settings
  }
}
