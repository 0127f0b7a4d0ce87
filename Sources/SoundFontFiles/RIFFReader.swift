// Numbers and chunks in the bytes of a RIFF file.

/// Reads little-endian numbers and chunks of a part of a RIFF file.
struct RIFFReader {
  struct Chunk {
    let name: String
    let start: Int
    let size: Int
    var end: Int { start + size }
  }

  let bytes: UnsafeRawBufferPointer
  let path: String
  /// Position of the part in the file, for messages.
  let origin: Int

  init(_ bytes: UnsafeRawBufferPointer, path: String, origin: Int = 0) {
    self.bytes = bytes
    self.path = path
    self.origin = origin
  }

  func word16(at place: Int) -> UInt16 {
    UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self))
  }

  func word32(at place: Int) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
  }

  /// Four characters; unprintable ones appear as dots.
  func text(at place: Int) -> String {
    String(
      decoding: bytes[place..<place + 4].map { (0x20...0x7E).contains($0) ? $0 : 0x2E },
      as: UTF8.self)
  }

  /// The chunks that fill a range, each padded to an even size.
  func chunks(in range: Range<Int>) throws(SoundFontError) -> [Chunk] {
    var chunks: [Chunk] = []
    var place = range.lowerBound
    while place < range.upperBound {
      guard place + 8 <= range.upperBound else {
        throw .damaged(
          path: path, reason: "a chunk ends within its header at byte \(origin + place)")
      }
      let chunk = Chunk(
        name: text(at: place), start: place + 8, size: Int(word32(at: place + 4)))
      guard chunk.end <= range.upperBound else {
        throw .damaged(
          path: path,
          reason: "chunk \(chunk.name) at byte \(origin + place) is longer than what holds it")
      }
      chunks.append(chunk)
      place = chunk.end + chunk.size % 2
    }
    return chunks
  }
}
