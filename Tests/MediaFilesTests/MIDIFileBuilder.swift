// Builds MIDI files byte by byte, valid and invalid ones.

/// Returns the bytes of a MIDI file with the given tracks.
func midiFile(
  format: Int = 1, division: Int = 96, declaredTracks: Int? = nil, _ tracks: [[UInt8]]
) -> [UInt8] {
  Array("MThd".utf8) + big(6, 4) + big(format, 2) + big(declaredTracks ?? tracks.count, 2)
    + big(division, 2) + tracks.flatMap { chunk("MTrk", $0) }
}

func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
  Array(name.utf8) + big(bytes.count, 4) + bytes
}

func big(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

/// Returns a number as a variable-length quantity, 7 bits a byte.
func variable(_ value: Int) -> [UInt8] {
  var bytes = [UInt8(value & 0x7F)]
  var rest = value >> 7
  while rest > 0 {
    bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
    rest >>= 7
  }
  return bytes
}

/// Returns an event after `delta` ticks.
func event(_ delta: Int, _ bytes: [UInt8]) -> [UInt8] { variable(delta) + bytes }

func meta(_ delta: Int, _ type: UInt8, _ bytes: [UInt8]) -> [UInt8] {
  event(delta, [0xFF, type] + variable(bytes.count) + bytes)
}

func tempo(_ delta: Int, _ microseconds: Int) -> [UInt8] { meta(delta, 0x51, big(microseconds, 3)) }

let endOfTrack: [UInt8] = [0, 0xFF, 0x2F, 0]

/// Returns an RMID file with these chunks.
func riff(_ chunks: [(name: String, bytes: [UInt8])]) -> [UInt8] {
  var content: [UInt8] = []
  for (name, bytes) in chunks {
    content += Array(name.utf8) + big(bytes.count, 4).reversed() + bytes
    if bytes.count % 2 == 1 { content.append(0) }
  }
  return Array("RIFF".utf8) + big(content.count + 4, 4).reversed() + Array("RMID".utf8) + content
}
