// The data that FluidSynth reads in place of a SoundFont file.

/// A reassembled file: its checked records from memory, its samples from the file.
///
/// FluidSynth reads the checked records even if the file changes meanwhile.
package struct SoundFontImage: Sendable {
  enum Segment: Sendable {
    case memory([UInt8])
    case file(Range<Int>)

    var count: Int {
      switch self {
      case .memory(let bytes): bytes.count
      case .file(let range): range.count
      }
    }
  }

  let source: SoundFontSource
  /// Segments, each with the position of its first byte.
  private let segments: [(start: Int, segment: Segment)]
  /// Size in bytes.
  package let size: Int

  init(_ source: SoundFontSource, _ segments: [Segment]) {
    self.source = source
    var start = 0
    var placed: [(Int, Segment)] = []
    for segment in segments where segment.count > 0 {
      placed.append((start, segment))
      start += segment.count
    }
    self.segments = placed
    size = start
  }

  /// - Returns: whether all bytes could be read.
  package func read(at place: Int, _ count: Int, into buffer: UnsafeMutableRawPointer) -> Bool {
    guard place >= 0, count >= 0, count <= size - place else { return false }
    for (start, segment) in segments {
      let (first, end) = (max(place, start), min(place + count, start + segment.count))
      if first >= end { continue }
      let part = first..<end
      let target = buffer + (part.lowerBound - place)
      let offset = part.lowerBound - start
      switch segment {
      case .memory(let bytes):
        bytes.withUnsafeBytes {
          target.copyMemory(from: $0.baseAddress! + offset, byteCount: part.count)
        }
      case .file(let range):
        let byte = range.lowerBound + offset
        if !source.read(byte..<byte + part.count, into: target) { return false }
      }
    }
    return true
  }
}
