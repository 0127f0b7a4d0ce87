// RMID: MIDI files inside RIFF files.

/// The RIFF wrapper of a MIDI file in an RMID file.
enum RMIDWrapper {
  /// Whether the bytes begin with the header of an RMID file.
  static func isThere(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 12 && bytes.starts(with: Array("RIFF".utf8))
      && bytes[8..<12].elementsEqual(Array("RMID".utf8))
  }

  /// Returns the range of the MIDI file, and the offset of the first chunk of sounds. A chunk that
  /// exceeds the file is cut at its end.
  static func find(
    in bytes: [UInt8], file: String
  ) throws(MIDIFileError) -> (midi: Range<Int>, soundsOffset: Int?) {
    var reader = MIDIByteReader(bytes: bytes, file: file)
    reader.offset = 12
    var midi: Range<Int>?
    var sounds: Int?
    while reader.remaining >= 8 {
      let start = reader.offset
      let name = reader.take4()
      let length = min(reader.little(4), reader.remaining)
      let content = reader.offset..<reader.offset + length
      if name == "data", midi == nil { midi = content }
      if name == "RIFF", sounds == nil { sounds = start }
      // Chunks begin at even offsets.
      reader.offset = min(content.upperBound + length % 2, bytes.count)
    }
    guard let midi else {
      throw .malformed(file: file, offset: 12, what: "its RIFF wrapper holds no 'data'")
    }
    return (midi, sounds)
  }
}
