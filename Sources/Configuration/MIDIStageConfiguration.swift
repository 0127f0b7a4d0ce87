// The stages that MIDI passes on its way into a unit.

/// One stage of a unit's `midi` array.
///
/// - Thread: [any]
public enum MIDIStageConfiguration: Sendable, Equatable {
  /// Lets some messages pass.
  case filter(MIDIFilterConfiguration)
  /// Moves notes.
  case transpose(MIDITransposeConfiguration)
  /// Any other stage, whose keys are its parameters.
  case settings(MIDIStageSettings)

  /// The names that `stage` accepts.
  public static let names = [
    "filter", "transpose", "velocity", "scale", "channel", "bend", "controller", "arpeggiator",
    "chord", "echo", "clock",
  ]

  /// The name that `stage` gives.
  public var name: String {
    switch self {
    case .filter: "filter"
    case .transpose: "transpose"
    case .settings(let settings): settings.name
    }
  }
}

/// A stage whose keys are the parameters of its group in the parameter tree.
///
/// Nested tables, dotted keys and arrays give key paths; the members of an array are numbered from
/// 1. `channels`, `keys`, `velocities` and `controllers` are written as they are for a filter: the
/// first sets `channels.1` to `channels.16`, the others the ends of a range, such as `keyLow` and
/// `keyHigh`.
///
/// - Thread: [any]
public struct MIDIStageSettings: Sendable, Equatable {
  /// One of `MIDIStageConfiguration.names`.
  public var name: String
  /// In the order of the file; the key paths, below the stage's group, are unique.
  public var settings: [Setting]
}

/// `stage = "filter"`. What is nil is not filtered.
///
/// - Thread: [any]
public struct MIDIFilterConfiguration: Sendable, Equatable {
  /// Channels that pass, 1 to 16.
  public var channels: Located<[ClosedRange<Int>]>?
  /// Keys of notes that pass, 0 to 127; C4 is key 60.
  public var keys: Located<ClosedRange<Int>>?
  /// Note-on velocities that pass, 0 to 127.
  public var velocities: Located<ClosedRange<Int>>?
  /// Controllers that pass, 0 to 127.
  public var controllers: Located<[ClosedRange<Int>]>?
  /// Kinds of messages that pass.
  public var pass: Located<Set<MIDIMessageKind>>?
  /// Whether messages pass around the stage.
  public var bypass: Located<Bool>?
}

/// `stage = "transpose"`.
///
/// - Thread: [any]
public struct MIDITransposeConfiguration: Sendable, Equatable {
  /// −127 to 127.
  public var semitones: Located<Int>
  /// Channels that are moved, 1 to 16; nil: all.
  public var channels: Located<[ClosedRange<Int>]>?
  /// Whether messages pass around the stage.
  public var bypass: Located<Bool>?
}

/// The kinds of MIDI messages that a filter tells apart, by the names that configurations use.
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
