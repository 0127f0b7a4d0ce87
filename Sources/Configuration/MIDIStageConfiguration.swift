// Stages of the MIDI chain of a unit.

/// One stage of a unit's `midi` array. Its keys are the parameters of its group in the parameter
/// tree.
///
/// Nested tables, dotted keys and arrays give key paths; the members of an array are numbered from
/// 1. `channels` sets `channels.1` to `channels.16`. `keys`, `velocities` and `controllers` set the
/// ends of a range, such as `keyLow` and `keyHigh`. A filter's `pass` sets `pass.note` and the
/// others.
///
/// - Thread: [any]
public struct MIDIStageConfiguration: Sendable, Equatable {
  /// The names that `stage` accepts.
  public static let names = [
    "filter", "transpose", "velocity", "scale", "channel", "bend", "controller", "arpeggiator",
    "chord", "echo", "clock",
  ]

  /// The stage's name, one of `names`.
  public var name: String
  /// The settings in the order of the file; their key paths, below the stage's group, are unique.
  public var settings: [Setting]

  package init(name: String, settings: [Setting] = []) {
    (self.name, self.settings) = (name, settings)
  }
}

/// The kinds of MIDI messages that a filter distinguishes, with their names in configurations.
///
/// - Thread: [any]
public enum MIDIMessageKind: String, Sendable, CaseIterable {
  /// Note on and note off.
  case note
  /// Control change.
  case controller
  /// Pitch bend.
  case bend
  /// Channel pressure and polyphonic key pressure.
  case pressure
  /// Program change.
  case program
  /// System exclusive.
  case sysex
}
