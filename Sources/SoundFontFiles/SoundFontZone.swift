// A zone of a preset or an instrument.

/// Numbers of generators used here, by the SoundFont specification, section 8.1.2.
enum GeneratorNumber {
  static let endOffset: UInt16 = 1
  static let loopStartOffset: UInt16 = 2
  static let loopEndOffset: UInt16 = 3
  static let modulationLFOToPitch: UInt16 = 5
  static let vibratoLFOToPitch: UInt16 = 6
  static let envelopeToPitch: UInt16 = 7
  static let endCoarseOffset: UInt16 = 12
  static let volumeRelease: UInt16 = 38
  static let instrument: UInt16 = 41
  static let keyRange: UInt16 = 43
  static let velocityRange: UInt16 = 44
  static let loopStartCoarseOffset: UInt16 = 45
  static let fixedKey: UInt16 = 46
  static let fixedVelocity: UInt16 = 47
  static let loopEndCoarseOffset: UInt16 = 50
  static let coarseTuning: UInt16 = 51
  static let fineTuning: UInt16 = 52
  static let sample: UInt16 = 53
  static let sampleModes: UInt16 = 54
  static let scaleTuning: UInt16 = 56
  static let exclusiveClass: UInt16 = 57
  static let rootKey: UInt16 = 58
  /// FluidSynth's own: the pitch of the key, to which its bend is added.
  static let pitch: UInt16 = 59
  /// The last generator that FluidSynth keeps for a voice.
  static let last: UInt16 = 62

  /// Depths by which oscillators and envelope move the pitch.
  static let depths = [modulationLFOToPitch, vibratoLFOToPitch, envelopeToPitch]
  /// Generators that shift the pitch of a zone.
  static let pitches = depths + [coarseTuning, fineTuning, scaleTuning]

  /// Whether modulators of this generator move the pitch.
  static func isPitch(_ number: UInt16) -> Bool {
    depths.contains(number) || number == coarseTuning || number == fineTuning || number == pitch
  }

  /// Whether the specification has this generator, for an instrument or a preset.
  static func isKnown(_ number: UInt16, inPreset: Bool) -> Bool {
    switch number {
    case 14, 18, 19, 20, 41, 42, 49, 55, 59...: false
    case 0...4, 12, 45, 46, 47, 50, 53, 54, 57, 58: !inPreset
    default: true
    }
  }
}

/// A zone as FluidSynth understands it: without unknown generators and those after the target.
struct SoundFontZone {
  struct Generator {
    let number: UInt16
    var amount: UInt16
    var value: Int { Int(Int16(bitPattern: amount)) }
  }

  struct Modulator {
    let source: UInt16
    let destination: UInt16
    let amount: Int16
    let amountSource: UInt16
    let transform: UInt16

    /// The greatest change it makes. FluidSynth supports four curves of sources, and no transform.
    var reach: Int {
      let isSupported = transform == 0 && source >> 10 < 4 && amountSource >> 10 < 4
      return isSupported ? abs(Int(amount)) : 0
    }
  }

  /// Position in the preset or instrument, from 1.
  let number: Int
  private(set) var generators: [Generator] = []
  var modulators: [Modulator]
  /// The sample of an instrument's zone, the instrument of a preset's; nil for a global zone.
  private(set) var target: Int?

  /// Reads generators by FluidSynth's rules. A range of keys comes first, a range of velocities
  /// before all but keys. The target ends the zone, and the later of two of a kind applies.
  init(number: Int, _ records: [Generator], _ modulators: [Modulator], inPreset: Bool) {
    self.number = number
    self.modulators = modulators
    let end = inPreset ? GeneratorNumber.instrument : GeneratorNumber.sample
    var level = 0
    for record in records {
      switch record.number {
      case GeneratorNumber.keyRange:
        if level == 0 { generators.append(record) }
        level = max(level, 1)
      case GeneratorNumber.velocityRange:
        if level <= 1 { generators.append(record) }
        level = 2
      case end:
        target = Int(record.amount)
        return
      default:
        level = 2
        if GeneratorNumber.isKnown(record.number, inPreset: inPreset) { set(record) }
      }
    }
  }

  subscript(number: UInt16) -> Int? { generators.first { $0.number == number }?.value }

  mutating func set(_ number: UInt16, _ value: Int) {
    set(Generator(number: number, amount: UInt16(bitPattern: Int16(clamping: value))))
  }

  private mutating func set(_ generator: Generator) {
    if let index = generators.firstIndex(where: { $0.number == generator.number }) {
      generators[index] = generator
    } else {
      generators.append(generator)
    }
  }

  /// Ranges of its keys and velocities; nil if one is empty.
  var range: (keys: ClosedRange<Int>, velocities: ClosedRange<Int>)? {
    guard let keys = span(GeneratorNumber.keyRange),
      let velocities = span(GeneratorNumber.velocityRange)
    else { return nil }
    return (keys, velocities)
  }

  private func span(_ number: UInt16) -> ClosedRange<Int>? {
    guard let amount = generators.first(where: { $0.number == number })?.amount else {
      return 0...127
    }
    let (low, high) = (Int(amount & 0xFF), min(Int(amount >> 8), 127))
    return low <= high ? low...high : nil
  }
}
