// What the JACK client counted since its activation.

/// Counts of a JACK backend.
public struct JackStatistics: Sendable, Equatable {
  public var cycles: Int
  /// Cycles that JACK reported as not finished in time.
  public var xruns: Int
  /// Jumps of the frame counter: the server skipped cycles.
  public var skippedCycles: Int
  /// MIDI events that did not fit into a unit's list.
  public var midiInputRefused: Int
  /// MIDI events that did not fit into a port's buffer.
  public var midiOutputRefused: Int
  /// MIDI messages that were not well formed.
  public var malformedMIDI: Int
  /// Cycles in which no schedule was there to render.
  public var silentCycles: Int
  /// The frames of the latest cycle, 0 before the first.
  public var period: Int
  /// The first frame of the latest cycle, counted from the first cycle.
  public var frame: Int
  /// For each MIDI input, by its port's name: events that found no room in JACK's buffer on their
  /// way to it.
  public var lostMIDI: [String: Int]
}
