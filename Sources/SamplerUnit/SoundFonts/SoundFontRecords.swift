// Checks the preset, instrument and sample records of a SoundFont against each other.

import Foundation

/// The nine record lists of a SoundFont's `pdta` chunk.
struct SoundFontRecords {
  private let reader: RIFFReader
  private var lists: [String: RIFFReader.Chunk] = [:]
  private static let sizes = [
    ("phdr", 38), ("pbag", 4), ("pmod", 10), ("pgen", 4), ("inst", 22), ("ibag", 4), ("imod", 10),
    ("igen", 4), ("shdr", 46),
  ]
  /// Generator numbers.
  private static let instrument: UInt16 = 41
  private static let sample: UInt16 = 53
  private static let volumeRelease: UInt16 = 38

  /// - Throws: `SoundFontError` unless all nine are there, in whole records.
  init(_ reader: RIFFReader, chunks: [RIFFReader.Chunk]) throws(SoundFontError) {
    self.reader = reader
    for (index, (name, size)) in Self.sizes.enumerated() {
      guard index < chunks.count, chunks[index].name == name else {
        throw .damaged(path: reader.path, reason: "its \(name) list is not in its place")
      }
      guard chunks[index].size % size == 0 else {
        throw .damaged(path: reader.path, reason: "its \(name) list ends within a record")
      }
      lists[name] = chunks[index]
    }
  }

  private func count(_ name: String) -> Int {
    lists[name]!.size / Self.sizes.first { $0.0 == name }!.1
  }

  private func place(_ name: String, _ index: Int) -> Int {
    lists[name]!.start + index * Self.sizes.first { $0.0 == name }!.1
  }

  /// - Throws: `SoundFontError` for indices out of order or out of range.
  func check(sampleBytes: Int) throws(SoundFontError) {
    guard count("phdr") > 1 else { throw .empty(path: reader.path) }
    for name in ["inst", "shdr", "pbag", "ibag", "pgen", "igen"] {
      guard count(name) > 0 else {
        throw .damaged(path: reader.path, reason: "its \(name) list is empty")
      }
    }
    try checkIndices(of: "phdr", at: 24, into: "pbag", isComplete: true)
    try checkIndices(of: "inst", at: 20, into: "ibag", isComplete: true)
    try checkIndices(of: "pbag", at: 0, into: "pgen")
    try checkIndices(of: "pbag", at: 2, into: "pmod")
    try checkIndices(of: "ibag", at: 0, into: "igen")
    try checkIndices(of: "ibag", at: 2, into: "imod")
    try checkReferences("pgen", Self.instrument, into: "inst")
    try checkReferences("igen", Self.sample, into: "shdr")
    for name in ["pgen", "igen"] { try checkPitches(name) }
    try checkSamples(sampleBytes)
  }

  /// Generators of pitch lie in the ranges that the specification gives them: FluidSynth takes the time of
  /// every turn of a loop, and the render thread with it.
  private func checkPitches(_ name: String) throws(SoundFontError) {
    let start = place(name, 0)
    for index in 0..<count(name) - 1 {
      let value = Int(Int16(bitPattern: reader.word16(at: start + index * 4 + 2)))
      let range: ClosedRange<Int>
      switch reader.word16(at: start + index * 4) {
      case 5, 6, 7: range = -12_000...12_000  // from LFOs and envelope, in cents
      case 51: range = -120...120  // coarse tuning, in semitones
      case 56 where name == "igen": range = 0...1_200  // cents a key
      case 56: range = -1_200...1_200
      default: continue
      }
      guard range.contains(value) else {
        throw .damaged(
          path: reader.path, reason: "record \(index) of \(name) sets a pitch to \(value)")
      }
    }
  }

  /// Each record gives the first of its entries in another list, in order; the last record ends them.
  ///
  /// - Parameter isComplete: whether they have to end with the list.
  private func checkIndices(
    of name: String, at offset: Int, into other: String, isComplete: Bool = false
  ) throws(SoundFontError) {
    // An entry of a modulator list may be missing altogether.
    let limit = max(count(other), 1)
    var last = 0
    let (start, size, total) = (
      place(name, 0), place(name, 1) - place(name, 0), count(name)
    )
    for index in 0..<total {
      let value = Int(reader.word16(at: start + index * size + offset))
      guard value >= last, value < limit || (index == total - 1 && value <= limit) else {
        throw .damaged(
          path: reader.path, reason: "record \(index) of \(name) points to \(other) \(value)")
      }
      last = value
    }
    guard !isComplete || last == limit - 1 else {
      throw .damaged(
        path: reader.path, reason: "its \(other) list has more records than \(name) uses")
    }
  }

  /// Generators that refer to a record must find one; the list's last record is none.
  private func checkReferences(
    _ name: String, _ generator: UInt16, into other: String
  ) throws(SoundFontError) {
    let (start, limit) = (place(name, 0), count(other) - 1)
    for index in 0..<count(name) where reader.word16(at: start + index * 4) == generator {
      let value = Int(reader.word16(at: start + index * 4 + 2))
      guard value < limit || index == count(name) - 1 else {
        throw .damaged(
          path: reader.path, reason: "record \(index) of \(name) points to \(other) \(value)")
      }
    }
  }

  /// A sample lies within the sample data: in frames, or in bytes where it is compressed.
  private func checkSamples(_ sampleBytes: Int) throws(SoundFontError) {
    for index in 0..<count("shdr") - 1 {
      let place = place("shdr", index)
      let start = Int(reader.word32(at: place + 20))
      let end = Int(reader.word32(at: place + 24))
      let rate = reader.word32(at: place + 36)
      let type = reader.word16(at: place + 44)
      let isInROM = type & 0x8000 != 0
      let isCompressed = type & 0x10 != 0
      let limit = isCompressed ? sampleBytes : sampleBytes / 2
      guard isInROM || (start <= end && end <= limit) else {
        throw .damaged(
          path: reader.path,
          reason: "sample \(index) lies at \(start) to \(end), outside its \(limit) frames")
      }
      guard rate <= 192_000 else {
        throw .damaged(path: reader.path, reason: "sample \(index) has a rate of \(rate) Hz")
      }
    }
  }

  /// How many modulators of its own a voice has at most: those of a zone and of its global zone, of instruments
  /// and presets.
  var mostModulators: Int { 2 * mostModulatorsOfZone("ibag") + 2 * mostModulatorsOfZone("pbag") }

  private func mostModulatorsOfZone(_ name: String) -> Int {
    let start = place(name, 0)
    var most = 0
    for index in 1..<max(count(name), 1) {
      let first = Int(reader.word16(at: start + (index - 1) * 4 + 2))
      most = max(most, Int(reader.word16(at: start + index * 4 + 2)) - first)
    }
    return most
  }

  /// 2^(timecents/1200), instruments and presets added.
  var longestReleaseSeconds: Double {
    let timecents = longest("igen", least: -12_000) + longest("pgen", least: 0)
    return exp2(Double(min(timecents, 8_000)) / 1_200)
  }

  private func longest(_ name: String, least: Int) -> Int {
    let start = place(name, 0)
    var longest = least
    for index in 0..<count(name)
    where reader.word16(at: start + index * 4) == Self.volumeRelease {
      longest = max(
        longest, Int(Int16(bitPattern: reader.word16(at: start + index * 4 + 2))))
    }
    return longest
  }
}
