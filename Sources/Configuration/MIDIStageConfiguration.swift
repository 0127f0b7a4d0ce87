// The stages that MIDI passes on its way into a unit.

/// One stage of a unit's `midi` array.
///
/// - Thread: [any]
public enum MIDIStageConfiguration: Sendable, Equatable {
  /// Lets some messages pass.
  case filter(MIDIFilterConfiguration)
  /// Moves notes.
  case transpose(MIDITransposeConfiguration)
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
}

/// `stage = "transpose"`.
///
/// - Thread: [any]
public struct MIDITransposeConfiguration: Sendable, Equatable {
  /// −127 to 127.
  public var semitones: Located<Int>
  /// Channels that are moved, 1 to 16; nil: all.
  public var channels: Located<[ClosedRange<Int>]>?
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
