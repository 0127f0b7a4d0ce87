// MIDI of units for those who watch it.

import SessionModel

extension JackSession {
  private var midiWatches: [SessionWatch] {
    watches.compactMap(\.watch).filter { !$0.midi.isEmpty }
  }

  /// Records the MIDI of the watched units, and of no other.
  func followMIDI() {
    let watches = midiWatches
    if watches.isEmpty && !midi.isWatching { return }
    midi.follow(plan.units.filter { unit in watches.contains { $0.watchesMIDI(of: unit.id) } })
  }

  /// Sends the new MIDI events to the clients that watch them. Called twenty times a second.
  func reportMIDI() {
    followMIDI()
    guard midi.isWatching, let host else { return }
    let units = midi.take()
    if units.isEmpty { return }
    let reading = MIDIReading(
      frame: Int64(host.statistics.frame), sampleRate: host.serverSampleRate, units: units)
    for watch in midiWatches { watch.report(reading) }
  }
}
