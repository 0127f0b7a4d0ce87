// Length of a compressed sample, without decoding it.

import Glibc

/// The length of an Ogg Vorbis stream by the positions in its pages.
///
/// RFC 3533, section 6. FluidSynth allocates as many frames as libsndfile finds there, before it
/// decodes any.
enum OggVorbisLength {
  private static let headerBytes = 27

  /// - Returns: the frame count, for several consecutive streams an upper limit; nil if it is no
  ///   such stream.
  static func frames(of bytes: [UInt8]) -> Int? {
    let pages = pages(bytes)
    guard pages.first == 0, isVorbis(bytes) else { return nil }
    var streams = 0
    var last: UInt64 = 0
    for page in pages {
      if bytes[page + 5] & 2 != 0 { streams += 1 }
      let position = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[page + 6 + $1]) << (8 * $1) }
      // All ones: no packet ends on the page.
      if position != .max { last = max(last, position) }
    }
    let (frames, overflows) = Int(clamping: last).multipliedReportingOverflow(by: max(streams, 1))
    return overflows ? .max : frames
  }

  /// Positions of the pages. Searched as libsndfile does, which skips other bytes.
  private static func pages(_ bytes: [UInt8]) -> [Int] {
    var pages: [Int] = []
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      var place = 0
      while place + headerBytes <= buffer.count,
        let found = memchr(base + place, 0x4F, buffer.count - headerBytes + 1 - place)
      {
        place = UnsafeRawPointer(found) - base
        if memcmp(found, "OggS", 4) == 0 { pages.append(place) }
        place += 1
      }
    }
    return pages
  }

  /// Whether the first page holds the header of a Vorbis stream.
  private static func isVorbis(_ bytes: [UInt8]) -> Bool {
    let start = headerBytes + Int(bytes[26])
    let header = [1] + Array("vorbis".utf8)
    return start + header.count <= bytes.count
      && bytes[start..<start + header.count].elementsEqual(header)
  }
}
