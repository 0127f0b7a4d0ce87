// The state of a session that is not in its parameters and connections.

/// The state of a session, for those who watch it.
public struct SessionReading: Sendable, Hashable, Codable {
  /// The file that it was started from, or saved to last.
  public var file: String?
  /// Whether commands have changed it since it was started or saved.
  public var isDirty: Bool
  /// The server, and the ports of other clients that connections wait for; nil if nothing is
  /// missing.
  public var missing: [String]?
  /// The units with their presets.
  public var units: [UnitReading]
  /// The names of the scenes.
  public var scenes: [String]
  public var mappings: [MappingReading]
  /// The number of changes in the journal since the session began.
  public var changes: Int
  /// The endpoints at which it listens for OSC, as URLs such as `osc.udp://127.0.0.1:9000/`; nil
  /// for none.
  public var osc: [String]?

  package init(
    file: String?, isDirty: Bool, missing: [String]?, units: [UnitReading], scenes: [String],
    mappings: [MappingReading], changes: Int, osc: [String]? = nil
  ) {
    (self.file, self.isDirty, self.missing, self.units) = (file, isDirty, missing, units)
    (self.scenes, self.mappings, self.changes, self.osc) = (scenes, mappings, changes, osc)
  }
}

/// The load of a session's server, and of its units, over the last second.
public struct LoadReading: Sendable, Hashable, Codable {
  /// The load of a unit, in percent of the available time.
  public struct Unit: Sendable, Hashable, Codable {
    /// The average.
    public var load: Float
    /// The highest of a cycle.
    public var worstLoad: Float

    package init(load: Float, worstLoad: Float) { (self.load, self.worstLoad) = (load, worstLoad) }
  }

  /// The server's load, in percent of the available time; nil if it is not measured.
  public var load: Float?
  /// The number of cycles that were not finished in time at this server.
  public var xruns: Int
  /// The frame of the session on which the latest cycle began.
  public var frame: Int64
  /// The sample rate in hertz.
  public var sampleRate: Int
  /// The period in frames.
  public var period: Int
  /// The units by their ids.
  public var units: [String: Unit]

  package init(
    load: Float?, xruns: Int, frame: Int64, sampleRate: Int, period: Int, units: [String: Unit]
  ) {
    (self.load, self.xruns, self.frame) = (load, xruns, frame)
    (self.sampleRate, self.period, self.units) = (sampleRate, period, units)
  }
}
