// Status of a session, its units and their ports.

/// The status of a session.
public struct SessionStatus: Sendable, Hashable, Codable {
  /// The JACK client's name.
  public var client: String
  /// The JACK server's name.
  public var server: String
  /// Whether the server is running; the server's values are nil if it is not.
  public var isServerThere = false
  /// The sample rate in hertz.
  public var sampleRate: Int?
  /// The period in frames.
  public var period: Int?
  /// The first frame of the latest cycle, counted since the session joined this server. Frames of
  /// `set` are in this count.
  public var frame: Int64?
  /// The server's load, in percent of the available time.
  public var load: Float?
  /// The number of cycles that were not finished in time at this server.
  public var xruns: Int?
  /// The number of units.
  public var units: Int
  /// The file that it was started from, or saved to last.
  public var file: String?
  /// Whether commands have changed it since it was started or saved, or it was started with other
  /// settings than the file's and not saved since. MIDI changes do not count.
  public var isDirty = false
  /// Other counts, as sentences; empty if there is nothing to report.
  public var counts: [String] = []
  /// The status of each unit, in the session's order; nil from a session that does not report it.
  public var unitStatus: [UnitStatus]?
  /// The last messages of the session's log, the oldest first; nil from a session that does not
  /// report them.
  public var notices: [NoticeReading]?
  /// The server, and the ports of other clients that connections wait for; nil if nothing is
  /// missing.
  public var missing: [String]?
  /// Unfinished changes, the oldest first; nil if there are none.
  public var pending: [PendingReading]?
  /// The number of values and entries that wait for their frames; nil if there are none.
  public var agenda: Int?
  /// Memory use; nil from a session that does not report it.
  public var memory: MemoryReading?

  package init(
    client: String, server: String, isServerThere: Bool = false, sampleRate: Int? = nil,
    period: Int? = nil, frame: Int64? = nil, load: Float? = nil, xruns: Int? = nil, units: Int,
    file: String? = nil, isDirty: Bool = false, counts: [String] = []
  ) {
    self.client = client
    self.server = server
    self.isServerThere = isServerThere
    self.sampleRate = sampleRate
    self.period = period
    self.frame = frame
    self.load = load
    self.xruns = xruns
    self.units = units
    self.file = file
    self.isDirty = isDirty
    self.counts = counts
  }
}

/// A change that has begun and is not finished.
public struct PendingReading: Sendable, Hashable, Codable {
  /// A description of the change.
  public var text: String
  /// Seconds since it began.
  public var seconds: Double

  package init(text: String, seconds: Double) { (self.text, self.seconds) = (text, seconds) }
}

/// The status of a unit of a session.
///
/// Measured values are nil until a second `status` follows a first one within three seconds: units
/// are measured only while a client asks for them.
public struct UnitStatus: Sendable, Hashable, Codable {
  public var id: String
  /// The component's short name, or its codes.
  public var component: String
  public var isBypassed: Bool
  /// The preset or entry that was chosen last.
  public var preset: String?
  /// The average load over the last second, in percent of the available time.
  public var load: Float?
  /// The highest load of a cycle in the last second, in percent of the available time.
  public var worstLoad: Float?
  /// MIDI and parameter events received in the last second.
  public var eventsTaken: Int?
  /// MIDI events sent in the last second.
  public var eventsSent: Int?
  /// The number of sounding voices; nil for a unit without voices.
  public var voices: Int?
  /// The ids of the units that it is connected to inside the session.
  public var receivers: [String] = []
  /// Counts of the unit, as sentences; empty if there is nothing to report.
  public var counts: [String] = []
  /// Ports at the server; empty if the server is not running.
  public var ports: [PortStatus] = []
  /// The sounds that MIDI has chosen in place of the preset, as text: "channel 2: Violin"; nil for
  /// none.
  public var chosenByMIDI: String?
  /// The levels of the last second, the gain reduction and the latency.
  public var meters: UnitMeters?

  /// Sets the levels, also those of the ports.
  package mutating func take(_ meters: UnitMeters) {
    self.meters = meters
    for index in ports.indices { ports[index].peak = ports[index].level(in: meters) }
  }

  package init(
    id: String, component: String, isBypassed: Bool, preset: String? = nil, load: Float? = nil,
    worstLoad: Float? = nil, eventsTaken: Int? = nil, eventsSent: Int? = nil, voices: Int? = nil,
    receivers: [String] = [], counts: [String] = [], ports: [PortStatus] = []
  ) {
    self.id = id
    self.component = component
    self.isBypassed = isBypassed
    self.preset = preset
    self.load = load
    self.worstLoad = worstLoad
    self.eventsTaken = eventsTaken
    self.eventsSent = eventsSent
    self.voices = voices
    self.receivers = receivers
    self.counts = counts
    self.ports = ports
  }
}

/// The status of a port of a session.
public struct PortStatus: Sendable, Hashable, Codable {
  /// The name without the client's name.
  public var name: String
  public var isMIDI: Bool
  /// Whether it is an input.
  public var isInput: Bool
  /// The bus of the unit, and the channel of the bus, from 0; nil for MIDI.
  public var bus: Int?
  public var channel: Int?
  /// The greatest sample of a measured audio port in the last second, in dBFS: −200 for silence,
  /// 200 at most; nil for other ports.
  public var peak: Float?
  /// The full names of the connected ports.
  public var connections: [String]

  package init(
    name: String, isMIDI: Bool, isInput: Bool, bus: Int? = nil, channel: Int? = nil,
    connections: [String]
  ) {
    self.name = name
    self.isMIDI = isMIDI
    self.isInput = isInput
    self.bus = bus
    self.channel = channel
    self.connections = connections
  }

  /// Returns the level of the port in the unit's levels; nil for MIDI.
  package func level(in meters: UnitMeters) -> Float? {
    let busses = isInput ? meters.inputs : meters.outputs
    guard let bus, let channel, busses.indices.contains(bus),
      busses[bus].indices.contains(channel)
    else { return nil }
    return busses[bus][channel]
  }
}

/// A message of a session's log.
public struct NoticeReading: Sendable, Hashable, Codable {
  /// The time in seconds since 1970.
  public var time: Double
  /// `notice`, `warning`, `error` or `critical`.
  public var level: String
  public var text: String

  package init(time: Double, level: String, text: String) {
    self.time = time
    self.level = level
    self.text = text
  }
}
