// What a session tells who asks.

import Configuration
import ControlUnit
import Foundation
import UnitModel

/// What became of a command that was carried out. As JSON it is an object whose one key says what
/// it holds; an empty one is all that there is to say of a change.
public enum SessionAnswer: Sendable, Equatable {
  case done
  case units([UnitReading])
  case parameters([ParameterReading])
  case parameter(ParameterReading)
  case presets([PresetReading])
  case status(SessionStatus)
  case saved(SaveReading)
  /// What was taken back or made again, in this order.
  case changes([ChangeReading])
  /// Which controllers move which parameters.
  case mappings([MappingReading])
  /// On which frame a change took effect, or began to.
  case frame(Int64)
  case scenes([SceneReading])
  case journal(JournalReading)
}

extension SessionAnswer: Codable {
  private enum Key: String, CodingKey {
    case units, parameters, parameter, presets, status, saved, changes, mappings, frame, scenes,
      journal
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
    case .frame(let frame): try object.encode(frame, forKey: .frame)
    }
  }
}

/// A unit of a session as it is now.
public struct UnitReading: Sendable, Hashable, Codable {
  public let id: String
  /// The component's short name, or its codes; `control` for what hears mapped controllers.
  public let component: String
  public let isBypassed: Bool
  /// The preset or entry that was chosen last.
  public let preset: String?

  package init(_ unit: AudioUnit, id: String) {
    self.id = id
    component =
      unit is ControlUnit ? "control" : unit.component?.shortName ?? unit.componentDescription.codes
    isBypassed = unit.shouldBypassEffect
    preset = unit.chosenPreset?.name
  }
}

/// A parameter as it is now.
public struct ParameterReading: Sendable, Hashable, Codable {
  /// `piano/midi/transpose/semitones`.
  public let path: String
  /// The number, in `unit`; while a ramp runs, the one that sounds.
  public let value: Float
  /// The value as `set` takes it: by its name where it has one.
  public let text: String
  public let unit: String
  public let minimum: Float
  public let maximum: Float
  /// The names of its values, from `minimum` on; empty without names.
  public let values: [String]
  /// Whether `set` may give a ramp.
  public let canRamp: Bool
  /// Whether only the unit sets it.
  public let isReading: Bool

  /// - Parameter value: the value that is told; nil for the current one.
  package init(_ parameter: Parameter, of id: String, value told: Float? = nil) {
    path = SessionPath(unit: id, keyPath: parameter.keyPath).text
    value = told ?? parameter.value
    text = parameter.string(fromValue: value)
    unit = parameter.unitName
    minimum = parameter.range.lowerBound
    maximum = parameter.range.upperBound
    values = parameter.valueStrings
    canRamp = parameter.flags.contains(.canRamp)
    isReading = !parameter.flags.contains(.writable)
  }
}

/// A preset of a unit, or an entry of its live set.
public struct PresetReading: Sendable, Hashable, Codable {
  public let name: String
  /// 0 and above for factory presets and entries, below 0 for the user's.
  public let number: Int
  /// Whether it was chosen last.
  public let isCurrent: Bool

  package init(name: String, number: Int, isCurrent: Bool) {
    self.name = name
    self.number = number
    self.isCurrent = isCurrent
  }
}

/// Where a session was saved.
public struct SaveReading: Sendable, Hashable, Codable {
  public let file: String
  /// The copy of what was there, where comments or a layout of somebody's own were lost; nil for
  /// none.
  public let backup: String?
  /// The ids of the units that are not in it, because only a program has their kind; nil for none.
  public var leftOut: [String]?

  package init(file: String, backup: String?, leftOut: [String]? = nil) {
    self.file = file
    self.backup = backup
    self.leftOut = leftOut
  }
}

/// A change that was taken back or made again.
public struct ChangeReading: Sendable, Hashable, Codable {
  /// What it is about: `piano/gain`, or a unit.
  public let path: String
  /// In words: "lowpass/cutoff from 900 to 2000".
  public let text: String
  /// Whether it was taken back; else it was made again.
  public let isUndone: Bool

  package init(path: String, text: String, isUndone: Bool) {
    self.path = path
    self.text = text
    self.isUndone = isUndone
  }
}

/// A controller that moves a parameter, or what sets something off.
public struct MappingReading: Sendable, Hashable, Codable {
  /// That of the parameter; `scene=NAME`, `preset=UNIT/NAME` or `panic=true` for something else.
  public let path: String
  /// As `map` takes them: `controller=74`, `range=[200, 8000]`.
  public let settings: [String]

  package init(_ mapping: MappingConfiguration) {
    path = mapping.target.value.text
    settings = mapping.settings
  }
}
