// The parser of a Standard MIDI File's chunks.

/// Time units of a file.
enum MIDIDivision {
  case ticksPerQuarter(Int)
  case ticksPerSecond(Double)
}

/// A change of the tempo map at a tick.
struct MIDITempoChange {
  enum Kind {
    case microsecondsPerQuarter(Int)
    case timeSignature(numerator: Int, denominator: Int)
  }

  let tick: Int
  let kind: Kind

  /// Returns the standard's defaults: 120 quarter notes a minute, in 4/4.
  static func standard(atTick tick: Int) -> [MIDITempoChange] {
    [
      MIDITempoChange(tick: tick, kind: .microsecondsPerQuarter(500_000)),
      MIDITempoChange(tick: tick, kind: .timeSignature(numerator: 4, denominator: 4)),
    ]
  }
}

/// Contents of a file, in ticks.
struct MIDIFileContent {
  struct Event {
    let tick: Int
    let track: Int
    let byteRange: Range<Int>
  }

  var division = MIDIDivision.ticksPerQuarter(1)
  var events: [Event] = []
  var messages: [UInt8] = []
  var changes: [MIDITempoChange] = []
  var lastTick = 0
  /// The longest pause before an event, in ticks, and its position.
  var longestPause = Pause(ticks: 0..<0, track: 0, offset: 0)
  private(set) var remarks: [MIDIFileRemark.Kind: MIDIFileRemark] = [:]

  struct Pause {
    let ticks: Range<Int>
    let track: Int
    let offset: Int
  }

  /// Counts a flaw; the first position of each kind is kept.
  mutating func remark(_ kind: MIDIFileRemark.Kind, track: Int? = nil, at offset: Int) {
    remarks[kind, default: MIDIFileRemark(kind: kind, count: 0, track: track, offset: offset)]
      .count += 1
  }
}

/// The parser of chunks. Every length is checked against the remaining bytes before it is used.
enum MIDIFileParser {
  static func parse(_ bytes: [UInt8], file: String) throws(MIDIFileError) -> MIDIFileContent {
    var content = MIDIFileContent()
    guard RMIDWrapper.isThere(bytes) else {
      try parse(MIDIByteReader(bytes: bytes, file: file), into: &content)
      return content
    }
    let (midi, sounds) = try RMIDWrapper.find(in: bytes, file: file)
    // Offsets stay relative to the whole file.
    var reader = MIDIByteReader(bytes: Array(bytes[..<midi.upperBound]), file: file)
    reader.offset = midi.lowerBound
    try parse(reader, into: &content)
    if let sounds { content.remark(.sounds, at: sounds) }
    return content
  }

  private static func parse(
    _ start: MIDIByteReader, into content: inout MIDIFileContent
  ) throws(MIDIFileError) {
    var reader = start
    let file = reader.file
    guard reader.remaining >= 14, reader.take4() == "MThd" else {
      throw .malformed(
        file: file, offset: start.offset, what: "it does not begin with an MThd chunk")
    }
    let headerLength = reader.big(4)
    guard headerLength >= 6, headerLength <= reader.remaining else {
      throw .malformed(
        file: file, offset: start.offset + 4,
        what: "its header has \(headerLength) bytes in place of 6")
    }
    let headerEnd = reader.offset + headerLength
    let format = reader.big(2)
    guard format <= 2 else {
      throw .unsupported(file: file, what: "its format is \(format)")
    }
    let declaredTracks = reader.big(2)
    content.division = try division(reader.big(2), file: file, offset: start.offset + 12)
    reader.offset = headerEnd

    var tracks = 0
    while reader.remaining >= 8 {
      let chunk = reader.offset
      let name = reader.take4()
      let length = reader.big(4)
      guard length <= reader.remaining else {
        // Bytes after the last track are padding, not a chunk.
        if tracks >= declaredTracks, name != "MTrk" { break }
        throw .malformed(
          file: file, offset: chunk,
          what: "a chunk of \(length) bytes has only \(reader.remaining): the file is cut off")
      }
      let end = reader.offset + length
      // Other chunks belong to other programs.
      if name == "MTrk" {
        var track = MIDITrackParser(reader: reader, end: end, track: tracks)
        if format == 2 {
          // A separate sequence: it begins at the end of the last one, with the standard's tempo.
          track.begin(atTick: content.lastTick)
          content.changes += MIDITempoChange.standard(atTick: content.lastTick)
          content.remark(.sequences, at: chunk)
        }
        try track.parse(into: &content)
        tracks += 1
      }
      reader.offset = end
    }
    guard tracks >= max(1, declaredTracks) else {
      throw .malformed(
        file: file, offset: reader.offset,
        what: "it has \(tracks) of \(declaredTracks) tracks: the file is cut off")
    }
  }

  private static func division(
    _ word: Int, file: String, offset: Int
  ) throws(MIDIFileError) -> MIDIDivision {
    if word & 0x8000 == 0 {
      guard word > 0 else {
        throw .malformed(file: file, offset: offset, what: "a quarter note has no ticks")
      }
      return .ticksPerQuarter(word)
    }
    let ticksPerFrame = Double(word & 0xFF)
    guard ticksPerFrame > 0 else {
      throw .malformed(file: file, offset: offset, what: "an SMPTE frame has no ticks")
    }
    switch Int8(truncatingIfNeeded: word >> 8) {
    case -24: return .ticksPerSecond(24 * ticksPerFrame)
    case -25: return .ticksPerSecond(25 * ticksPerFrame)
    // 29 means 30 drop-frame, at 30000/1001 frames a second.
    case -29: return .ticksPerSecond(30000 / 1001 * ticksPerFrame)
    case -30: return .ticksPerSecond(30 * ticksPerFrame)
    case let rate:
      throw .malformed(
        file: file, offset: offset, what: "\(-Int(rate)) is no SMPTE frame rate (24, 25, 29, 30)")
    }
  }
}

/// A position in the bytes of a file. Its callers check `remaining` first.
struct MIDIByteReader {
  let bytes: [UInt8]
  let file: String
  var offset = 0

  init(bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
  }

  var remaining: Int { bytes.count - offset }

  /// Reads a big-endian number of `count` bytes.
  mutating func big(_ count: Int) -> Int {
    defer { offset += count }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Reads a little-endian number of `count` bytes.
  mutating func little(_ count: Int) -> Int {
    defer { offset += count }
    return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Reads a chunk's name.
  mutating func take4() -> String {
    defer { offset += 4 }
    return String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }
}
