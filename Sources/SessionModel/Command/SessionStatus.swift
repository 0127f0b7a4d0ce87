// How a session does, and each of its units.

/// How a session does.
public struct SessionStatus: Sendable, Hashable, Codable {
  /// The JACK client's name.
  public var client: String
  /// The JACK server's name.
  public var server: String
  /// Whether the server is there; the values of the server are nil while it is not.
  public var isServerThere = false
  /// In hertz.
  public var sampleRate: Int?
  /// In frames.
  public var period: Int?
  /// The frame of the latest cycle since the session came to this server, by which `set` counts.
  public var frame: Int64?
  /// The server's load, in percent of the time that there is.
  public var load: Float?
  /// Cycles that were not finished in time, at this server.
  public var xruns: Int?
  /// How many units there are.
  public var units: Int
  /// The file that it was started from, or saved to last.
  public var file: String?
  /// Whether commands have changed it since. What MIDI moves does not count.
  public var isDirty = false
  /// What else was counted, in sentences; nothing is best.
  public var counts: [String] = []
  /// How each unit does, in the order of the session; nil from a session that does not tell.
  public var unitStatus: [UnitStatus]?
  /// The last messages of the session's log, the oldest first; nil from a session that does not
  /// tell.
  public var notices: [NoticeReading]?
  /// What has been begun and is not done yet, the oldest first; nil for nothing.
  public var pending: [PendingReading]?
  /// How many values and entries wait for their frames; nil for none.
  public var agenda: Int?
  /// What it holds in memory; nil from a session that does not tell.
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

/// A change that has been begun and is not done yet.
public struct PendingReading: Sendable, Hashable, Codable {
  /// What it is, in words.
  public var text: String
  /// For how long, in seconds.
  public var seconds: Double

  package init(text: String, seconds: Double) { (self.text, self.seconds) = (text, seconds) }
}

/// How a unit of a session does.
///
/// What is measured is nil until a second `status` follows a first one within three seconds: units
/// are measured only while somebody looks.
public struct UnitStatus: Sendable, Hashable, Codable {
  public var id: String
  /// The component's short name, or its codes.
  public var component: String
  public var isBypassed: Bool
  /// The preset or entry that was chosen last.
  public var preset: String?
  /// In percent of the time that there is, on average over the last second.
  public var load: Float?
  /// Likewise in the cycle of the last second in which it took most.
  public var worstLoad: Float?
  /// Events that came to it in the last second, of MIDI and of parameters.
  public var eventsTaken: Int?
  /// MIDI events that it sent in the last second.
  public var eventsSent: Int?
  /// How many voices sound; nil for a unit without voices.
  public var voices: Int?
  /// The ids of the units that it is connected to inside the session.
  public var receivers: [String] = []
  /// What it counted, in sentences; nothing is best.
  public var counts: [String] = []
  /// Its ports at the server; none while that is not there.
  public var ports: [PortStatus] = []

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

/// How a port of a session does.
public struct PortStatus: Sendable, Hashable, Codable {
  /// Without the client's.
  public var name: String
  public var isMIDI: Bool
  /// Whether it takes what others send.
  public var isInput: Bool
  /// Of an audio output that is measured, the greatest sample of the last second in dBFS: −200 for
  /// silence, 200 at most.
  public var peak: Float?
  /// The ports that it is connected with, by their full names.
  public var connections: [String]

  package init(name: String, isMIDI: Bool, isInput: Bool, peak: Float? = nil, connections: [String])
  {
    self.name = name
    self.isMIDI = isMIDI
    self.isInput = isInput
    self.peak = peak
    self.connections = connections
  }
}

/// A message of a session's log.
public struct NoticeReading: Sendable, Hashable, Codable {
  /// In seconds since 1970.
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
