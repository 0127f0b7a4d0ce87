// Random streams through random chains: at the end nothing sounds, no pedal is down, and nothing
// has changed its order.

import MIDIStages
import Realtime
import TestSupport
import Testing
import UnitModel

@Suite struct ChainPropertyTests {
  @Test(arguments: seeds(600))
  func everyNoteThatLeavesAChainEndsWhateverIsChangedMeanwhile(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let comesBack = seed % 2 == 1
    let rig = comesBack ? ChainRig.randomOfNotes(&random) : ChainRig.random(&random)
    var stream = NoteStream(rig: rig, comesBack: comesBack)
    var output: [TestEvent] = []
    var inputBalance = Balance()
    for cycle in 0..<20 {
      let end = FrameTime(cycle + 1) * 64
      let events = stream.cycle(from: end - 64, &random)
      for event in events { inputBalance.take(event) }
      output += rig.process(
        events, slices: [end - FrameTime.random(in: 0..<64, using: &random), end])
    }
    let releases = stream.releaseAll(at: 20 * 64)
    for event in releases { inputBalance.take(event) }
    output += rig.process(releases)
    output += rig.run([], until: NoteStream.end) { 4096 }
    var balance = Balance()
    for event in output { balance.take(event) }
    // A note-off without a note-on passes where no stage has a use for note-offs.
    #expect(balance.excessNoteOffs <= (rig.remembersNotes ? 0 : inputBalance.excessNoteOffs))
    #expect(balance.sounding == [:])
    #expect(balance.pedals == [])
    #expect(output.map(\.frame) == output.map(\.frame).sorted())
  }

  @Test(arguments: seeds(100))
  func garbageIsSurvivedAndPassesUnchanged(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let rig = ChainRig.random(&random)
    for _ in 0..<20 {
      let garbage: [TestEvent] = (0..<50).map { _ in
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .midi(random.bytes(Int.random(in: 1...3, using: &random)), at: 5)
        case 1: .sysex(random.bytes(Int.random(in: 0...40, using: &random)), at: 5)
        default:
          .parameter(
            random.next() >> UInt64.random(in: 0..<64, using: &random),
            Float(bitPattern: UInt32(truncatingIfNeeded: random.next())), at: 5)
        }
      }
      let output = rig.process(garbage)
      #expect(output.count <= garbage.count || rig.makesNotes)
    }
    let broken: [TestEvent] = [
      .midi([0x90, 0x80, 1], at: 1), .midi([0x90, 1], at: 1), .midi([0xC0, 1, 1], at: 1),
      .midi([0xF5], at: 1), .midi([0x40, 1, 1], at: 1),
    ]
    // What a stage makes of its own comes later than these.
    #expect(Array(rig.process(broken).prefix(broken.count)) == broken)
  }
}

extension ChainRig {
  static func random(_ random: inout SeededRandom) -> ChainRig {
    ChainRig(
      (0..<Int.random(in: 1...6, using: &random)).map { _ in
        MIDIStageKind.allCases.randomElement(using: &random)!
      })
  }
}

extension ChainRig {
  /// A chain of stages most of which remember notes.
  static func randomOfNotes(_ random: inout SeededRandom) -> ChainRig {
    ChainRig(
      (0..<Int.random(in: 2...7, using: &random)).map { _ in
        [
          .filter, .filter, .transpose, .transpose, .scale, .channel, .chord, .velocity,
          .controller,
        ]
        .randomElement(using: &random)!
      })
  }
}

/// Makes a dense stream on few channels and keys, with changes of any setting between.
///
/// One that comes back changes what concerns these channels alone, sets it back to where it does
/// nothing, again and again, and lets go of all keys now and then.
struct NoteStream {
  /// By then the longest gate has ended: two bars at the slowest tempo.
  static let end: FrameTime = 48000 * 40

  let rig: ChainRig
  let comesBack: Bool
  /// The note-ons sent, each to be followed by its note-off.
  private var held: [[UInt8]] = []
  /// The parameters that are not where they were at first.
  private var changed: Set<ParameterAddress> = []
  private let ofFewChannels: [Parameter]

  init(rig: ChainRig, comesBack: Bool = false) {
    self.rig = rig
    self.comesBack = comesBack
    ofFewChannels = Self.ofFewChannels(rig)
  }

  /// Of what there is for each channel, zone and point, that for the first few; all else whole.
  static func ofFewChannels(_ rig: ChainRig) -> [Parameter] {
    rig.tree.allParameters.filter { parameter in
      let number = parameter.keyPath.split(separator: ".").compactMap { Int($0) }.first
      return (number ?? 0) <= 3 && parameter.flags.contains(.writable)
    }
  }

  mutating func cycle(from frame: FrameTime, _ random: inout SeededRandom) -> [TestEvent] {
    let events = (0..<Int.random(in: 0...(comesBack ? 20 : 40), using: &random))
      .map { _ in frame + FrameTime.random(in: 0..<64, using: &random) }.sorted()
      .map { event(at: $0, &random) }
    if !comesBack || Int.random(in: 0..<3, using: &random) > 0 { return events }
    let count = min(held.count, 40)
    defer { held.removeFirst(count) }
    return events + noteOffs(at: frame + 63).prefix(count)
  }

  private func noteOffs(at frame: FrameTime) -> [TestEvent] {
    held.map { .midi([$0[0] - 16, $0[1], 0], at: frame) }
  }

  mutating func releaseAll(at frame: FrameTime) -> [TestEvent] {
    defer { held = [] }
    // A control that a controller stage turns into a pedal may rest where the pedal is down.
    let controls = rig.tree.allParameters.filter {
      $0.keyPath.hasPrefix("midi.controller") && $0.identifier == "source"
    }
    // A latch holds keys by itself.
    let latches = rig.tree.allParameters.filter { ["latch", "pedal"].contains($0.identifier) }
    return (controls + latches).map { .parameter($0.address, 0, at: frame) }
      + noteOffs(at: frame)
      + (0...2).flatMap { channel in
        [64, 66].map { .midi([0xB0 | channel, $0, 0], at: frame) }
      }
  }

  private mutating func event(at frame: FrameTime, _ random: inout SeededRandom) -> TestEvent {
    let channel = UInt8.random(in: 0...2, using: &random)
    let key = [0, 1, 2, 60, 61, 126, 127].randomElement(using: &random)! as UInt8
    let value = UInt8.random(in: 1...127, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<35:
      held.append([0x90 | channel, key, value])
      return .midi([0x90 | channel, key, value], at: frame)
    case 35..<65:
      guard let index = held.indices.randomElement(using: &random) else { fallthrough }
      let note = held.remove(at: index)
      return .midi(value > 64 ? [note[0] - 16, note[1], value] : [note[0], note[1], 0], at: frame)
    case 65..<70: return .midi([0x80 | channel, key, value], at: frame)
    case 70..<74:
      let number =
        [1, 1, 64, 64, 66, 66, 120, 121, 123, 124, 126, 127].randomElement(using: &random)! as UInt8
      return .midi([0xB0 | channel, number, value], at: frame)
    case 74: return .midi([0xFF], at: frame)
    case 75: return .midi([0xE0 | channel, key, value], at: frame)
    case 76: return .midi([0xD0 | channel, value], at: frame)
    case 77..<80: return .midi([0xA0 | channel, key, value], at: frame)
    default:
      if comesBack, let setting = setting(at: frame, &random) { return setting }
      var parameters = rig.tree.allParameters
      if value > 100 { parameters.removeAll { $0.identifier != "bypass" } }
      guard let parameter = parameters.randomElement(using: &random) else {
        return .midi([0xC0 | channel, key], at: frame)
      }
      var setting = Float.random(in: parameter.range, using: &random).rounded()
      if parameter.identifier == "targetController" && value > 64 { setting = 64 }
      return .parameter(parameter.address, setting, at: frame)
    }
  }
}

extension NoteStream {
  /// A setting that concerns the stream, or what is changed set back.
  private mutating func setting(
    at frame: FrameTime, _ random: inout SeededRandom
  ) -> TestEvent? {
    let away = ofFewChannels.filter { changed.contains($0.address) }
    if let parameter = away.randomElement(using: &random), Int.random(in: 0..<3, using: &random) > 0
    {
      changed.remove(parameter.address)
      return .parameter(parameter.address, parameter.defaultValue, at: frame)
    }
    guard let parameter = ofFewChannels.randomElement(using: &random) else { return nil }
    changed.insert(parameter.address)
    let value = Float.random(in: parameter.range, using: &random).rounded()
    return .parameter(parameter.address, value, at: frame)
  }
}

/// Counts the notes of a stream that have begun and not ended.
struct Balance {
  /// How many notes of a channel (high byte) and key (low byte) sound.
  private(set) var sounding: [Int: Int] = [:]
  private(set) var excessNoteOffs = 0
  /// The pressed pedals, as channel (high byte) and controller number (low byte).
  private(set) var pedals: Set<Int> = []

  mutating func take(_ event: TestEvent) {
    guard case .midi(let bytes, _) = event else { return }
    let channel = Int(bytes[0] & 15)
    let note = channel << 8 | Int(bytes.count > 1 ? bytes[1] : 0)
    switch bytes[0] {
    case 0x90...0x9F where bytes[2] > 0: sounding[note, default: 0] += 1
    case 0x80...0x9F:
      guard let count = sounding[note] else {
        excessNoteOffs += 1
        return
      }
      sounding[note] = count == 1 ? nil : count - 1
    case 0xB0...0xBF where bytes[1] == 120 || bytes[1] >= 123:
      sounding = sounding.filter { $0.key >> 8 != channel }
    case 0xB0...0xBF where bytes[1] == 121: pedals = pedals.filter { $0 >> 8 != channel }
    case 0xB0...0xBF where (64...69).contains(bytes[1]):
      if bytes[2] < 64 { pedals.remove(note) } else { pedals.insert(note) }
    case 0xFF:
      sounding = [:]
      pedals = []
    default: break
    }
  }
}
