// Checks of a SoundFont's preset, instrument and sample records against each other.

/// The nine record lists of a SoundFont's `pdta` chunk.
struct SoundFontRecords {
  /// A list, by its chunk's name, in the order of the file.
  enum List: String, CaseIterable {
    case phdr, pbag, pmod, pgen, inst, ibag, imod, igen, shdr

    /// Size of a record, in bytes.
    var size: Int {
      switch self {
      case .phdr: 38
      case .pbag, .pgen, .ibag, .igen: 4
      case .pmod, .imod: 10
      case .inst: 22
      case .shdr: 46
      }
    }

    fileprivate var number: Int {
      switch self {
      case .phdr: 0
      case .pbag: 1
      case .pmod: 2
      case .pgen: 3
      case .inst: 4
      case .ibag: 5
      case .imod: 6
      case .igen: 7
      case .shdr: 8
      }
    }
  }

  /// The lists with the zones of presets, or of instruments.
  typealias ZoneLists = (bags: List, generators: List, modulators: List)

  let reader: RIFFReader
  /// Chunks by the lists' numbers.
  private var chunks: [RIFFReader.Chunk] = []

  /// - Throws: `SoundFontError` unless all nine lists exist, in whole records.
  init(_ reader: RIFFReader, chunks: [RIFFReader.Chunk]) throws(SoundFontError) {
    self.reader = reader
    for (index, list) in List.allCases.enumerated() {
      guard index < chunks.count, chunks[index].name == list.rawValue else {
        throw .damaged(path: reader.path, reason: "its \(list) list is not in its place")
      }
      guard chunks[index].size % list.size == 0 else {
        throw .damaged(path: reader.path, reason: "its \(list) list ends within a record")
      }
      self.chunks.append(chunks[index])
    }
  }

  /// Count of records, with the terminal one.
  func count(_ list: List) -> Int { chunks[list.number].size / list.size }

  /// Position of a record.
  func place(_ list: List, _ index: Int) -> Int { chunks[list.number].start + index * list.size }

  /// - Throws: `SoundFontError` for indices out of order or out of range.
  func check() throws(SoundFontError) {
    guard count(.phdr) > 1 else { throw .empty(path: reader.path) }
    for name: List in [.inst, .shdr, .pbag, .ibag, .pgen, .igen] {
      guard count(name) > 0 else {
        throw .damaged(path: reader.path, reason: "its \(name) list is empty")
      }
    }
    try checkIndices(of: .phdr, at: 24, into: .pbag, isComplete: true)
    try checkIndices(of: .inst, at: 20, into: .ibag, isComplete: true)
    try checkIndices(of: .pbag, at: 0, into: .pgen)
    try checkIndices(of: .pbag, at: 2, into: .pmod)
    try checkIndices(of: .ibag, at: 0, into: .igen)
    try checkIndices(of: .ibag, at: 2, into: .imod)
    try checkReferences(.pgen, GeneratorNumber.instrument, into: .inst)
    try checkReferences(.igen, GeneratorNumber.sample, into: .shdr)
  }

  /// Checks that each record gives the first of its entries in another list, in order. The last
  /// record ends them.
  ///
  /// - Parameter isComplete: whether the entries must end with the list.
  private func checkIndices(
    of name: List, at offset: Int, into other: List, isComplete: Bool = false
  ) throws(SoundFontError) {
    // A modulator list may be empty.
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

  /// Checks that generators refer to existing records; ignores the list's terminal record.
  private func checkReferences(
    _ name: List, _ generator: UInt16, into other: List
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
