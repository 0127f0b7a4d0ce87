// The parser of a Standard MIDI File's tracks.

struct MIDITrackParser {
  private var reader: MIDIByteReader
  private let end: Int
  private let track: Int
  private var tick = 0
  private var runningStatus: UInt8?
  /// The incomplete System Exclusive message, if any.
  private var openSysEx: OpenSysEx?

  private struct OpenSysEx {
    /// Start of the message in `messages`; `offset` is its start in the file.
    let message: Int
    let offset: Int
    /// Time of its last part.
    var tick: Int
    var isDamaged = false
  }

  init(reader: MIDIByteReader, end: Int, track: Int) {
    self.reader = reader
    self.end = end
    self.track = track
  }

  /// Delays the start of the track.
  mutating func begin(atTick tick: Int) { self.tick = tick }

  /// Appends the track's events. Many programs omit the end-of-track event, so the chunk's end also
  /// ends the track.
  mutating func parse(into content: inout MIDIFileContent) throws(MIDIFileError) {
    var isAtEnd = false
    while reader.offset < end, !isAtEnd {
      let start = reader.offset
      let pause = try variableLength("the time of an event")
      if pause > content.longestPause.ticks.count {
        content.longestPause = .init(ticks: tick..<tick + pause, track: track, offset: start)
      }
      tick += pause
      isAtEnd = try event(&content)
    }
    closeSysEx(&content)
    content.lastTick = max(content.lastTick, tick)
  }

  /// Reads one event and returns whether it ends the track.
  private mutating func event(_ content: inout MIDIFileContent) throws(MIDIFileError) -> Bool {
    let start = reader.offset
    guard start < end else { throw malformed("a track ends within an event", at: start) }
    let first = reader.bytes[start]
    // Only meta events may occur between the parts of a System Exclusive message.
    if first != 0xF7, first != 0xFF { closeSysEx(&content) }
    switch first {
    case 0xFF:
      reader.offset += 1
      return try meta(&content, at: start)
    case 0xF0, 0xF7:
      reader.offset += 1
      try systemExclusive(&content, first: first, at: start)
    case 0xF1...0xFE:
      throw malformed("\(hex(first)) begins no event of a file", at: start)
    default:
      try channelMessage(&content, first: first, at: start)
    }
    return false
  }

  /// Reads a channel message. Its status may be omitted if equal to that of the last channel
  /// message. By the standard, meta and System Exclusive events end running status. Some files
  /// continue it after them, and its meaning is clear.
  private mutating func channelMessage(
    _ content: inout MIDIFileContent, first: UInt8, at start: Int
  ) throws(MIDIFileError) {
    var status = first
    if first < 0x80 {
      guard let runningStatus else {
        throw malformed("data byte \(hex(first)) where a status is due", at: start)
      }
      status = runningStatus
    } else {
      reader.offset += 1
    }
    runningStatus = status
    let dataCount = status & 0xE0 == 0xC0 ? 1 : 2
    let data = try take(dataCount, of: "a message")
    let begin = content.messages.count
    content.messages.append(status)
    if let damaged = data.first(where: { reader.bytes[$0] >= 0x80 }) {
      content.remark(.dataBytes, track: track, at: damaged)
      // As in FluidSynth: a bend is usable without the eighth bits.
      guard status & 0xF0 == 0xE0 else {
        content.messages.removeLast()
        return
      }
    }
    content.messages += data.map { reader.bytes[$0] & 0x7F }
    append(from: begin, to: &content)
  }

  private mutating func systemExclusive(
    _ content: inout MIDIFileContent, first: UInt8, at start: Int
  ) throws(MIDIFileError) {
    let length = try variableLength("the length of a System Exclusive event")
    let data = try take(length, of: "a System Exclusive event")
    if first == 0xF7, openSysEx == nil { return try escape(data, into: &content) }
    if first == 0xF0 {
      openSysEx = OpenSysEx(message: content.messages.count, offset: start, tick: tick)
      content.messages.append(0xF0)
    }
    openSysEx?.tick = tick
    for index in data {
      let byte = reader.bytes[index]
      if byte == 0xF7, index == data.upperBound - 1 { return endSysEx(&content) }
      if byte >= 0x80, openSysEx?.isDamaged == false {
        content.remark(.systemExclusiveBytes, track: track, at: index)
        openSysEx?.isDamaged = true
      }
      content.messages.append(byte)
    }
  }

  /// Appends the message at the time of its last part, when it is complete and can be sent.
  private mutating func endSysEx(_ content: inout MIDIFileContent) {
    guard let message = openSysEx else { return }
    openSysEx = nil
    guard !message.isDamaged else {
      content.messages.removeSubrange(message.message...)
      return
    }
    content.messages.append(0xF7)
    content.events.append(
      MIDIFileContent.Event(
        tick: message.tick, track: track, byteRange: message.message..<content.messages.count))
  }

  /// Ends a message that the file has left open.
  private mutating func closeSysEx(_ content: inout MIDIFileContent) {
    guard let message = openSysEx else { return }
    if !message.isDamaged {
      content.remark(.systemExclusiveEnds, track: track, at: message.offset)
    }
    endSysEx(&content)
  }

  /// Appends bytes to be sent unchanged: whole messages of any kind.
  private mutating func escape(
    _ data: Range<Int>, into content: inout MIDIFileContent
  ) throws(MIDIFileError) {
    var index = data.lowerBound
    while index < data.upperBound {
      let rest = reader.bytes[index..<data.upperBound]
      guard let length = wholeMessageLength(rest) else {
        throw malformed("an escape (F7) holds no complete MIDI message", at: index)
      }
      let begin = content.messages.count
      content.messages += rest.prefix(length)
      append(from: begin, to: &content)
      index += length
    }
  }

  private func wholeMessageLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let status = bytes.first else { return nil }
    let length: Int
    switch status {
    case 0xF0:
      guard let last = bytes.dropFirst().firstIndex(where: { $0 >= 0x80 }), bytes[last] == 0xF7
      else { return nil }
      return last - bytes.startIndex + 1
    case 0xC0...0xDF, 0xF1, 0xF3: length = 2
    case 0x80...0xBF, 0xE0...0xEF, 0xF2: length = 3
    case 0xF6, 0xF8...0xFF: length = 1
    default: return nil
    }
    let message = bytes.prefix(length)
    guard message.count == length, message.dropFirst().allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    return length
  }

  private mutating func meta(
    _ content: inout MIDIFileContent, at start: Int
  ) throws(MIDIFileError) -> Bool {
    let type = reader.bytes[try take(1, of: "a meta event").lowerBound]
    let length = try variableLength("the length of a meta event")
    let data = reader.bytes[try take(length, of: "a meta event")]
    let first = data.startIndex
    switch type {
    case 0x2F: return true
    case 0x51:
      let tempo = data.reduce(0) { $0 << 8 | Int($1) }
      guard data.count == 3, tempo > 0 else { throw malformed("no sound tempo", at: start) }
      content.changes.append(
        MIDITempoChange(tick: tick, kind: .microsecondsPerQuarter(tempo)))
    case 0x58:
      // The other bytes are for metronomes and notation. 2⁷ is a 128th note.
      guard data.count >= 2, data[first] > 0, data[first + 1] <= 7 else {
        throw malformed("no sound time signature", at: start)
      }
      content.changes.append(
        MIDITempoChange(
          tick: tick,
          kind: .timeSignature(
            numerator: Int(data[first]), denominator: 1 << Int(data[first + 1]))))
    default: break
    }
    return false
  }

  private func append(from begin: Int, to content: inout MIDIFileContent) {
    content.events.append(
      MIDIFileContent.Event(
        tick: tick, track: track, byteRange: begin..<content.messages.count))
  }

  /// Takes the next `count` bytes of the track.
  private mutating func take(
    _ count: Int, of what: String
  ) throws(MIDIFileError) -> Range<Int> {
    guard count <= end - reader.offset else {
      throw malformed("a track ends within \(what)", at: reader.offset)
    }
    defer { reader.offset += count }
    return reader.offset..<reader.offset + count
  }

  /// Reads a number of 7 bits a byte; the standard allows at most four bytes.
  private mutating func variableLength(_ what: String) throws(MIDIFileError) -> Int {
    var value = 0
    for _ in 0..<4 {
      let byte = reader.bytes[try take(1, of: what).lowerBound]
      value = value << 7 | Int(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    throw malformed("\(what) is longer than four bytes", at: reader.offset)
  }

  private func malformed(_ what: String, at offset: Int) -> MIDIFileError {
    .malformed(file: reader.file, offset: offset, what: "\(what) (track \(track + 1))")
  }

  private func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
