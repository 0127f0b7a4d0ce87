// The presets, instruments and samples of a SoundFont, to be checked, corrected and written.

import Glibc

/// The content of a SoundFont's records, without the parts that FluidSynth ignores.
struct SoundFontTree {
  /// A preset or an instrument.
  struct Owner {
    /// The record's bytes before and after the number of its first zone.
    let head: [UInt8]
    let rest: [UInt8]
    /// The zones; the first may be a global one.
    var zones: [SoundFontZone]

    /// Printable name.
    var name: String { printable(text(head.prefix(20))) }
    /// The zone whose generators and modulators apply to zones without their own; nil for none.
    var global: SoundFontZone? { zones.first.flatMap { $0.target == nil ? $0 : nil } }
  }

  struct Sample {
    var bytes: [UInt8]
    /// Count of frames after decompression; nil for an uncompressed sample.
    var decodedFrames: Int?
    /// Whether FluidSynth plays it.
    var isPlayable = true

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var name: String { printable(text(bytes.prefix(20))) }
    var start: Int { long(20) }
    var end: Int { long(24) }
    var loopStart: Int { long(28) }
    var loopEnd: Int { long(32) }
    /// Sample rate, in hertz.
    var rate: Int { long(36) }
    var rootKey: Int { Int(bytes[40]) }
    /// Correction of pitch, in cents.
    var correction: Int { Int(Int8(bitPattern: bytes[41])) }
    var type: Int { Int(bytes[44]) | Int(bytes[45]) << 8 }
    var isCompressed: Bool { type & 0x10 != 0 }
    var isInROM: Bool { type & 0x8000 != 0 }

    private func long(_ place: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
  }

  let path: String
  var presets: [Owner]
  var instruments: [Owner]
  var samples: [Sample]
  /// Count of frames of all uncompressed samples together.
  var sampleFrames = 0
  var warnings = SoundFontWarnings()

  /// - Throws: `SoundFontError.tooLarge`. The records must have been checked.
  init(_ records: SoundFontRecords) throws(SoundFontError) {
    path = records.reader.path
    samples = (0..<records.count(.shdr) - 1).map {
      Sample(records.bytes(.shdr, $0, 0..<46))
    }
    presets = []
    instruments = []
    presets = try owners(records, .phdr, 24, (.pbag, .pgen, .pmod), inPreset: true)
    instruments = try owners(records, .inst, 20, (.ibag, .igen, .imod), inPreset: false)
  }

  /// - Parameter place: position of the first zone's number in a record.
  private func owners(
    _ records: SoundFontRecords, _ list: SoundFontRecords.List, _ place: Int,
    _ lists: SoundFontRecords.ZoneLists, inPreset: Bool
  ) throws(SoundFontError) -> [Owner] {
    var owners: [Owner] = []
    for index in 0..<records.count(list) - 1 {
      var owner = Owner(
        head: records.bytes(list, index, 0..<place),
        rest: records.bytes(list, index, place + 2..<list.size), zones: [])
      let first = records.word(list, index, place)
      for (number, bag) in (first..<records.word(list, index + 1, place)).enumerated() {
        let zone = try zone(records, bag, lists, number + 1, of: owner, inPreset: inPreset)
        // FluidSynth drops global zones after the first.
        if zone.target != nil || number == 0 { owner.zones.append(zone) }
      }
      owners.append(owner)
    }
    return owners
  }

  private func zone(
    _ records: SoundFontRecords, _ bag: Int,
    _ lists: SoundFontRecords.ZoneLists, _ number: Int,
    of owner: Owner, inPreset: Bool
  ) throws(SoundFontError) -> SoundFontZone {
    func range(_ place: Int) -> Range<Int> {
      records.word(lists.bags, bag, place)..<records.word(lists.bags, bag + 1, place)
    }
    let modulators = range(2)
    guard modulators.count <= SoundFontLimits.modulatorsPerZone else {
      throw .tooLarge(
        path: path,
        reason: "zone \(number) of \(inPreset ? "preset" : "instrument") '\(owner.name)' has "
          + "\(modulators.count) modulators; at most \(SoundFontLimits.modulatorsPerZone)")
    }
    return SoundFontZone(
      number: number,
      range(0).map { index in
        let amount = UInt16(truncatingIfNeeded: records.word(lists.generators, index, 2))
        return SoundFontZone.Generator(
          number: UInt16(truncatingIfNeeded: records.word(lists.generators, index, 0)),
          amount: amount)
      },
      modulators.map { index in
        func word(_ place: Int) -> UInt16 {
          UInt16(truncatingIfNeeded: records.word(lists.modulators, index, place))
        }
        return SoundFontZone.Modulator(
          source: word(0), destination: word(2), amount: Int16(bitPattern: word(4)),
          amountSource: word(6), transform: word(8))
      }, inPreset: inPreset)
  }

  /// The most modulators of the font that a voice has: those of a zone and of its global zone, of
  /// an instrument and a preset.
  var mostModulators: Int {
    func most(_ owners: [Owner]) -> Int {
      owners.lazy.flatMap(\.zones).map(\.modulators.count).max() ?? 0
    }
    return 2 * most(instruments) + 2 * most(presets)
  }

  /// The longest release, in seconds: 2^(timecents/1200), instruments and presets added.
  var longestReleaseSeconds: Double {
    func longest(_ owners: [Owner], least: Int) -> Int {
      owners.lazy.flatMap(\.zones).compactMap { $0[GeneratorNumber.volumeRelease] }
        .reduce(least, max)
    }
    let timecents = longest(instruments, least: -12_000) + longest(presets, least: 0)
    return exp2(Double(min(timecents, 8_000)) / 1_200)
  }
}

/// Text of a record, up to its first zero.
private func text(_ bytes: some Sequence<UInt8>) -> String {
  String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
}

extension SoundFontRecords {
  func word(_ list: List, _ index: Int, _ offset: Int) -> Int {
    Int(reader.word16(at: place(list, index) + offset))
  }

  func bytes(_ list: List, _ index: Int, _ range: Range<Int>) -> [UInt8] {
    let start = place(list, index)
    return Array(reader.bytes[start + range.lowerBound..<start + range.upperBound])
  }
}
