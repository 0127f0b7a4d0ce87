// MIDI of units for those who watch it.

import SessionModel
import UnitRender

extension JackSession {
  private var midiWatches: [SessionWatch] {
    watches.compactMap(\.watch).filter { !$0.midi.isEmpty }
  }

  /// Records the MIDI of the watched units, and of no other.
  func followMIDI() {
    let watches = midiWatches
    if watches.isEmpty && midi.tapped.isEmpty { return }
    midi.follow(plan.units.filter { unit in watches.contains { $0.watchesMIDI(of: unit.id) } })
  }

  /// Sends the new MIDI events to the clients that watch them. Called twenty times a second.
  func reportMIDI() {
    followMIDI()
    guard !midi.tapped.isEmpty, let host else { return }
    let units = midi.takeEvents()
    if units.isEmpty { return }
    let reading = MIDIReading(
      frame: Int64(host.statistics.frame), sampleRate: host.serverSampleRate, units: units)
    for watch in midiWatches { watch.report(reading) }
  }
}

extension UnitTaps<MIDITap> {
  convenience init() { self.init(begin: { $0.beginMIDITap() }, end: { $0.endMIDITap() }) }

  /// Returns the events since the last call, by the ids of the units that have any.
  /// - Thread: [control]
  fileprivate func takeEvents() -> [String: MIDIReading.Unit] {
    var units: [String: MIDIReading.Unit] = [:]
    for (id, one) in tapped {
      let (events, lost) = one.tap.take()
      if events.isEmpty && lost == 0 { continue }
      // Sent events follow the received ones of the same slice.
      let sorted = events.enumerated().sorted {
        ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset)
      }
      units[id] = MIDIReading.Unit(
        events: sorted.map { MIDIReading.Event($0.element) }, lost: lost)
    }
    return units
  }
}

extension MIDIReading.Event {
  fileprivate init(_ event: TappedEvent) {
    self.init(
      frame: event.frame, bytes: event.kept, byteCount: Int(event.byteCount),
      isSent: event.isSent, cable: Int(event.cable))
  }
}
