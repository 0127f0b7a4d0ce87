// MIDI of a session's units.

/// MIDI events that units received and sent since the last notice.
public struct MIDIReading: Sendable, Hashable, Codable {
  /// A message of MIDI on its frame.
  public struct Event: Sendable, Hashable, Codable {
    /// The session's frame on which it took effect at the unit, or on which the unit sent it.
    public var frame: Int64
    /// The bytes; of a long SysEx the first 32.
    public var bytes: [UInt8]
    /// The length of the whole message.
    public var byteCount: Int
    /// Whether the unit sent it; otherwise it received it.
    public var isSent: Bool
    /// The unit's MIDI input or output, counted from 0.
    public var cable: Int

    package init(frame: Int64, bytes: [UInt8], byteCount: Int, isSent: Bool, cable: Int) {
      (self.frame, self.bytes, self.byteCount) = (frame, bytes, byteCount)
      (self.isSent, self.cable) = (isSent, cable)
    }
  }

  /// Events of a unit.
  public struct Unit: Sendable, Hashable, Codable {
    /// The events in the order of their frames.
    public var events: [Event]
    /// The number of later events that found no room.
    public var lost: Int

    package init(events: [Event], lost: Int) { (self.events, self.lost) = (events, lost) }
  }

  /// The frame of the session on which the latest cycle began.
  public var frame: Int64
  /// The sample rate in hertz.
  public var sampleRate: Int
  /// The units by their ids: those with events.
  public var units: [String: Unit]

  package init(frame: Int64, sampleRate: Int, units: [String: Unit]) {
    (self.frame, self.sampleRate, self.units) = (frame, sampleRate, units)
  }

  /// The most events of a notice.
  package static let mostEvents = 1024

  /// Adds a later reading. Events beyond `mostEvents` are lost, and counted.
  package mutating func add(_ later: MIDIReading) {
    (frame, sampleRate) = (later.frame, later.sampleRate)
    var room = Self.mostEvents - self.units.values.reduce(0) { $0 + $1.events.count }
    // Those with few events first, so that a flood at one unit leaves them their room.
    let units = later.units.sorted {
      ($0.value.events.count, $0.key) < ($1.value.events.count, $1.key)
    }
    for (id, unit) in units {
      var own = self.units[id] ?? Unit(events: [], lost: 0)
      // Events after lost ones would be taken for earlier than these.
      let taken = own.lost > 0 ? 0 : min(max(0, room), unit.events.count)
      own.events += unit.events.prefix(taken)
      own.lost += unit.events.count - taken + unit.lost
      room -= taken
      self.units[id] = own
    }
  }
}
