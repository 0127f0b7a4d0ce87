// MIDI events as JSON.

import SessionModel

/// Writes MIDI events as JSON. Up to 1,024 events go to each watching client twenty times a second:
/// an encoder would take several times as long.
struct MIDINotice {
  private(set) var bytes: [UInt8] = []

  init(_ reading: MIDIReading) {
    let count = reading.units.values.reduce(0) { $0 + $1.events.count }
    bytes.reserveCapacity(64 + 80 * count)
    add("{\"midi\":{\"frame\":\(reading.frame),\"sampleRate\":\(reading.sampleRate),\"units\":{")
    for (index, (id, unit)) in reading.units.sorted(by: { $0.key < $1.key }).enumerated() {
      // Ids have letters, digits, hyphens and underscores only.
      add(index > 0 ? ",\"\(id)\":{\"events\":[" : "\"\(id)\":{\"events\":[")
      for (index, event) in unit.events.enumerated() {
        if index > 0 { add(",") }
        add(event)
      }
      add("],\"lost\":\(unit.lost)}")
    }
    add("}}}")
  }

  private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func add(_ event: MIDIReading.Event) {
    add("{\"byteCount\":\(event.byteCount),\"bytes\":[")
    for (index, byte) in event.bytes.enumerated() { add(index > 0 ? ",\(byte)" : "\(byte)") }
    add("],\"cable\":\(event.cable),\"frame\":\(event.frame),\"isSent\":\(event.isSent)}")
  }
}
