// Checks the preset, instrument and sample records of a SoundFont against each other.

/// The nine record lists of a SoundFont's `pdta` chunk.
struct SoundFontRecords {
  let reader: RIFFReader
  private var lists: [String: RIFFReader.Chunk] = [:]
  private static let sizes = [
    ("phdr", 38), ("pbag", 4), ("pmod", 10), ("pgen", 4), ("inst", 22), ("ibag", 4), ("imod", 10),
    ("igen", 4), ("shdr", 46),
  ]
  /// How many bytes each kind of record has.
  static func size(_ name: String) -> Int { sizes.first { $0.0 == name }!.1 }

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

  /// With the last record, which is none.
  func count(_ name: String) -> Int { lists[name]!.size / Self.size(name) }

  /// Where a record begins.
  func place(_ name: String, _ index: Int) -> Int {
    lists[name]!.start + index * Self.size(name)
  }

  /// - Throws: `SoundFontError` for indices out of order or out of range.
  func check() throws(SoundFontError) {
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
    try checkReferences("pgen", GeneratorNumber.instrument, into: "inst")
    try checkReferences("igen", GeneratorNumber.sample, into: "shdr")
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
}
