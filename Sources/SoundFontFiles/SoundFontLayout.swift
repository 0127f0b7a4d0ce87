// Positions of the parts of a SoundFont file.

/// The three lists of a SoundFont file, found and checked against the file's size.
struct SoundFontLayout {
  /// Zeros before all samples, in frames. FluidSynth counts down from the ends of samples and loops
  /// without a sign, so none may lie at the very beginning.
  static let leadFrames = 8
  private static let greatestRecordBytes = 16 << 20

  /// Version of the format: 2 or 3, and the minor number; 2.0 if the file has none.
  private(set) var version = (major: 2, minor: 0)
  /// Range of the samples: 16 bits each, or Ogg Vorbis streams.
  private(set) var samples = 0..<0
  /// Range of the lower 8 bits of 24-bit samples.
  private(set) var lowBytes = 0..<0
  /// Range of the chunks of records.
  private(set) var records = 0..<0

  /// - Throws: `SoundFontError`.
  init(_ source: SoundFontSource) throws(SoundFontError) {
    let head = try source.bytes(0..<min(12, source.size))
    guard head.count == 12, head.starts(with: "RIFF".utf8), head[8...].elementsEqual("sfbk".utf8)
    else { throw .notASoundFont(path: source.path) }
    let size = Self.number(head, at: 4) + 8
    guard size <= source.size else {
      throw .truncated(path: source.path, bytes: source.size, expected: size)
    }
    guard size == source.size else {
      throw .damaged(path: source.path, reason: "\(source.size - size) bytes behind its end")
    }
    let information = try Self.list("INFO", behind: 12..<12, source)
    try readVersion(information, source)
    let data = try Self.list("sdta", behind: information, source)
    try findSamples(data, source)
    records = try Self.list("pdta", behind: data, source)
    guard records.count <= Self.greatestRecordBytes else {
      throw .tooLarge(
        path: source.path,
        reason: "its records take \(records.count) bytes; at most \(Self.greatestRecordBytes)")
    }
  }

  /// Whether samples are compressed one by one, as in version 3.
  var isCompressed: Bool { version.major == 3 }

  /// Zeros before the samples, in frames.
  var leadFrames: Int { isCompressed ? 0 : Self.leadFrames }

  private static func number(_ bytes: [UInt8], at place: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  /// The content of the next list, without its kind. Some programs do not pad lists of odd sizes.
  private static func list(
    _ kind: String, behind last: Range<Int>, _ source: SoundFontSource
  ) throws(SoundFontError) -> Range<Int> {
    for place in [last.upperBound, last.upperBound + last.upperBound % 2]
    where place + 12 <= source.size {
      let head = try source.bytes(place..<place + 12)
      guard head.starts(with: "LIST".utf8), head[8...].elementsEqual(kind.utf8) else { continue }
      let size = number(head, at: 4)
      guard size >= 4, place + 8 + size <= source.size else {
        throw .damaged(path: source.path, reason: "its list \(kind) is longer than the file")
      }
      return place + 12..<place + 8 + size
    }
    throw .damaged(path: source.path, reason: "its lists are not INFO, sdta and pdta")
  }

  /// Reads the version, the only information about the file that FluidSynth uses.
  private mutating func readVersion(
    _ list: Range<Int>, _ source: SoundFontSource
  ) throws(SoundFontError) {
    var place = list.lowerBound
    var count = 0
    while place + 8 <= list.upperBound && count < 100 {
      let head = try source.bytes(place..<place + 8)
      let size = Self.number(head, at: 4)
      guard place + 8 + size <= list.upperBound else {
        throw .damaged(
          path: source.path, reason: "the INFO chunk at byte \(place) is longer than its list")
      }
      if head.starts(with: "ifil".utf8) {
        guard size == 4 else {
          throw .damaged(path: source.path, reason: "its INFO chunk ifil has \(size) bytes")
        }
        let bytes = try source.bytes(place + 8..<place + 12)
        version = (Int(bytes[0]) | Int(bytes[1]) << 8, Int(bytes[2]) | Int(bytes[3]) << 8)
        guard version.major == 2 || version.major == 3 else {
          throw .damaged(
            path: source.path, reason: "its format's version is \(version.major), not 2 or 3")
        }
      }
      place += 8 + size + size % 2
      count += 1
    }
  }

  private mutating func findSamples(
    _ list: Range<Int>, _ source: SoundFontSource
  ) throws(SoundFontError) {
    samples = list.lowerBound..<list.lowerBound
    if list.count < 8 { return }
    let head = try source.bytes(list.lowerBound..<list.lowerBound + 8)
    let start = list.lowerBound + 8
    let size = Self.number(head, at: 4)
    guard head.starts(with: "smpl".utf8), start + size <= list.upperBound else {
      throw .damaged(path: source.path, reason: "its samples are not where they should be")
    }
    samples = start..<start + size
    // As FluidSynth reads them: from version 2.04 on, and only at exactly half the size.
    let next = samples.upperBound
    if isCompressed || version.minor < 4 || next + 8 > list.upperBound { return }
    let low = try source.bytes(next..<next + 8)
    let half = size / 2 + size / 2 % 2
    guard low.starts(with: "sm24".utf8), Self.number(low, at: 4) == half,
      next + 8 + half <= list.upperBound
    else { return }
    lowBytes = next + 8..<next + 8 + half
  }

  /// Returns the data for FluidSynth, with `records` in place of the file's own.
  func image(
    _ source: SoundFontSource, records: [UInt8]
  ) throws(SoundFontError) -> SoundFontImage {
    let information = Self.chunk("ifil", Self.words([version.major, version.minor]))
    let lead = 2 * leadFrames
    let sampleSize = samples.count + lead
    let lowSize = lowBytes.isEmpty ? 0 : lowBytes.count + leadFrames
    var dataSize = 12 + sampleSize
    if lowSize > 0 { dataSize += 8 + lowSize }
    let size = 4 + 12 + information.count + 8 + dataSize + 12 + records.count
    guard size <= Int(UInt32.max) else {
      throw .tooLarge(path: source.path, reason: "it has \(size) bytes; at most \(UInt32.max)")
    }
    var head = Array("RIFF".utf8) + Self.size(size) + Array("sfbk".utf8)
    head += Self.chunk("LIST", Array("INFO".utf8) + information)
    head += Array("LIST".utf8) + Self.size(dataSize) + Array("sdtasmpl".utf8)
    head += Self.size(sampleSize) + [UInt8](repeating: 0, count: lead)
    var segments: [SoundFontImage.Segment] = [.memory(head), .file(samples)]
    if lowSize > 0 {
      let low = Array("sm24".utf8) + Self.size(lowSize)
      segments.append(.memory(low + [UInt8](repeating: 0, count: leadFrames)))
      segments.append(.file(lowBytes))
    }
    segments.append(.memory(Self.chunk("LIST", Array("pdta".utf8) + records)))
    return SoundFontImage(source, segments)
  }

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + size(content.count) + content
  }

  private static func size(_ value: Int) -> [UInt8] {
    words([value & 0xFFFF, value >> 16])
  }

  private static func words(_ values: [Int]) -> [UInt8] {
    values.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8 & 0xFF)] }
  }
}
