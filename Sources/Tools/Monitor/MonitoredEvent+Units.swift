// Monitored events of a session's units.

public import SessionModel

extension MonitoredEvent {
  /// Returns the events of all units, in the order of their frames.
  /// - Thread: [any]
  public static func events(of reading: MIDIReading) -> [MonitoredEvent] {
    let all = reading.units.sorted { $0.key < $1.key }.flatMap { id, unit in
      unit.events.map { event in
        MonitoredEvent(
          frame: event.frame, seconds: Double(event.frame) / Double(max(reading.sampleRate, 1)),
          from: .unit(id, isSent: event.isSent),
          MonitoredMessage(event.bytes, byteCount: event.byteCount))
      }
    }
    return all.enumerated().sorted {
      ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset)
    }.map(\.element)
  }
}
