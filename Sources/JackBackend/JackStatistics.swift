// Counts of the JACK client since its activation.

/// Counts of a JACK backend.
public struct JackStatistics: Sendable, Equatable {
  public var cycles: Int
  /// Cycles that JACK reported as not finished in time.
  public var xruns: Int
  /// Jumps of the frame counter ahead, when the server skipped cycles.
  public var skippedCycles: Int
  /// MIDI events that did not fit into a unit's list.
  public var midiInputRefused: Int
  /// MIDI events that did not fit into a port's buffer.
  public var midiOutputRefused: Int
  /// MIDI messages that were malformed.
  public var malformedMIDI: Int
  /// Cycles without a schedule to render.
  public var silentCycles: Int
  /// The frames of the latest cycle, 0 before the first.
  public var period: Int
  /// The first frame of the latest cycle, counted from the first cycle.
  public var frame: Int
  /// The number of events that did not fit into JACK's buffer, by MIDI input port.
  public var lostMIDI: [String: Int]
}
