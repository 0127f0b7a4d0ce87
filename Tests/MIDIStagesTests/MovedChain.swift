// A chain whose settings change while keys are held.

import MIDIStages
import MIDIStagesModel
import Realtime
import TestSupport
import UnitModel
import UnitRender

/// A chain and its events. Any subset of the events is valid too: keys still down after the last
/// event are released, and time runs on until all events of the stages are due.
struct MovedChain {
  /// The events by which all held notes end.
  enum Ending: CaseIterable { case releases, allNotesOff, allSoundOff, systemReset, reset }

  /// The address of an event that bypasses the whole unit.
  static let unitBypass: UInt64 = 1
  /// The first of the controllers mapped to parameters.
  private static let firstController: UInt8 = 24

  let kinds: [MIDIStageKind]
  let isEdited: Bool
  let ending: Ending
  let longestPeriod: Int
  var events: [TestEvent]

  init(
    _ kinds: [MIDIStageKind], isEdited: Bool = true, ending: Ending = .releases,
    longestPeriod: Int = 1024, _ events: [TestEvent]
  ) {
    (self.kinds, self.isEdited, self.ending) = (kinds, isEdited, ending)
    (self.longestPeriod, self.events) = (longestPeriod, events)
  }

  static func random(seed: UInt64) -> MovedChain {
    var random = SeededRandom(seed: seed)
    // About half of the stages merge several notes, make several of one, or change notes.
    let sharing: [MIDIStageKind] = [.chord, .chord, .scale, .channel, .transpose, .filter, .echo]
    var kinds = (0..<Int.random(in: 1...5, using: &random)).map { _ in
      (Bool.random(using: &random) ? sharing : MIDIStageKind.allCases)
        .randomElement(using: &random)!
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) { kinds.insert(.controller, at: 0) }
    let isEdited = Int.random(in: 0..<3, using: &random) > 0
    let endings = Ending.allCases.filter { isEdited || $0 != .reset }
    let ending =
      Int.random(in: 0..<3, using: &random) > 0
      ? .releases : endings.randomElement(using: &random)!
    var hand = Hand(ChainRig(kinds), firstController: firstController)
    return MovedChain(
      kinds, isEdited: isEdited, ending: ending,
      longestPeriod: [128, 512, 2048, 8192].randomElement(using: &random)!, hand.events(&random))
  }

  /// The description of a fault; nil if there is none.
  func fault() -> String? {
    let rig = ChainRig(kinds, isEdited: isEdited)
    var random = SeededRandom(seed: 1)
    var output: [TestEvent] = []
    let longest = longestPeriod
    func run(_ events: [TestEvent], until end: FrameTime) {
      output += rig.run(events, until: end) { Int.random(in: 1...longest, using: &random) }
    }
    var rest = events
    while let index = rest.firstIndex(where: \.isUnitBypass) {
      // The whole unit is bypassed at the start of a call.
      guard case .parameter(_, let value, let frame) = rest.remove(at: index) else { break }
      run(rest.filter { $0.frame < frame }, until: frame)
      rest.removeAll { $0.frame < frame }
      rig.setBypassed(value >= 0.5)
    }
    let frame = max(rig.now, events.last?.frame ?? 0) + 1
    run(rest, until: frame)
    rig.setBypassed(false)
    run(closing(rig, at: frame), until: frame + 1)
    if case .reset = ending { rig.exchange?.player.reset() }
    output += rig.run([], until: frame + rig.longestTail) { 65_536 }
    var balance = Balance()
    var receiver = Receiver()
    for event in output {
      balance.take(event)
      receiver.take(event)
    }
    if !balance.sounding.isEmpty { return "sounding at the end: \(balance.sounding)" }
    if !receiver.sounding.isEmpty { return "begun last: \(receiver.sounding)" }
    if !balance.pedals.isEmpty { return "pedals down at the end: \(balance.pedals)" }
    return nil
  }

  private func closing(_ rig: ChainRig, at frame: FrameTime) -> [TestEvent] {
    let channels = UInt8(0)..<16
    switch ending {
    case .releases: return rig.closing(events, at: frame)
    case .allNotesOff, .allSoundOff:
      let number: UInt8 = ending == .allNotesOff ? 123 : 120
      return rig.closing([], at: frame) + channels.map { .midi([0xB0 | $0, number, 0], at: frame) }
    case .systemReset: return rig.closing([], at: frame) + [.midi([0xFF], at: frame)]
    case .reset: return rig.closing([], at: frame)
    }
  }
}

/// A player of a few keys, who also changes settings.
private struct Hand {
  private let rig: ChainRig
  private let moved: [Parameter]
  private let bypasses: [Parameter]
  private let firstController: UInt8
  private var controllers: [UInt8] = []
  private var held: [[UInt8]] = []
  private var frame: FrameTime = 0

  init(_ rig: ChainRig, firstController: UInt8) {
    self.rig = rig
    self.firstController = firstController
    moved = NoteStream.ofFewChannels(rig)
    bypasses = rig.tree.allParameters.filter { $0.identifier == "bypass" }
  }

  mutating func events(_ random: inout SeededRandom) -> [TestEvent] {
    var events = mappings(&random) + settings(&random)
    for _ in 0..<Int.random(in: 0...10, using: &random) { events.append(move(&random)) }
    for _ in 0..<Int.random(in: 10...200, using: &random) {
      frame += [0, 0, 1, 20, 300, 3_000, 15_000].randomElement(using: &random)!
      events.append(event(&random))
    }
    // Sometimes all keys are up before the last change.
    if Bool.random(using: &random) { return events }
    while !held.isEmpty {
      frame += [0, 1, 300, 15_000].randomElement(using: &random)!
      events.append(Int.random(in: 0..<3, using: &random) == 0 ? move(&random) : release(&random))
    }
    return events
  }

  private mutating func mappings(_ random: inout SeededRandom) -> [TestEvent] {
    let layout = MIDIChainLayout(rig.kinds)
    var events: [TestEvent] = []
    for stage in layout.stages where stage.kind == .controller {
      let targets = layout.targets(of: stage, in: rig.tree)
      let few = targets.filter { target in bypasses.contains { $0.address == target.address } }
      guard
        let target = (Bool.random(using: &random) ? few : targets).randomElement(using: &random),
        let number = MIDIChainTarget.number(ofAddress: target.address)
      else { continue }
      let controller = firstController + UInt8(controllers.count)
      controllers.append(controller)
      let settings: [(ControllerParameter, Float)] = [
        (.source, 1), (.sourceController, Float(controller)), (.target, 5),
        (.parameter, Float(number)),
      ]
      events += settings.map {
        .parameter(stage.baseAddress + UInt64($0.rawValue), $1, at: frame)
      }
    }
    return events
  }

  /// Settings that change notes.
  private func settings(_ random: inout SeededRandom) -> [TestEvent] {
    let ofKinds: [MIDIStageKind: [(String, ClosedRange<Int>)]] = [
      .chord: [("play", 0...9)], .scale: [("scale", 0...13)],
      .transpose: [("semitones", -12...12)],
      .channel: [("mode", 0...1), ("map.1", 1...2)], .filter: [("keyLow", 0...60)],
      .echo: [("repeats", 1...3), ("delay", 0...8), ("semitones", -5...5)],
    ]
    return MIDIChainLayout(rig.kinds).stages.flatMap { stage in
      (ofKinds[stage.kind] ?? []).map { name, range in
        .parameter(
          rig.tree.parameter(keyPath: "\(stage.keyPath).\(name)")!.address,
          Float(Int.random(in: range, using: &random)), at: frame)
      }
    }
  }

  private mutating func event(_ random: inout SeededRandom) -> TestEvent {
    let channel = UInt8.random(in: 0...1, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<35:
      let key = [48, 52, 55, 60, 60, 61, 64, 67].randomElement(using: &random)! as UInt8
      held.append([0x90 | channel, key])
      return .midi([0x90 | channel, key, UInt8.random(in: 1...127, using: &random)], at: frame)
    case 35..<60 where !held.isEmpty: return release(&random)
    case 60..<76:
      guard let controller = controllers.randomElement(using: &random) else { fallthrough }
      let value = [0, 127, UInt8.random(in: 0...127, using: &random)]
        .randomElement(using: &random)!
      return .midi([0xB0 | channel, controller, value], at: frame)
    case 76..<78:
      return .midi(
        [0xB0 | channel, [64, 123].randomElement(using: &random)!, 127], at: frame)
    case 78:
      return .parameter(
        MovedChain.unitBypass, Float(Int.random(in: 0...1, using: &random)), at: frame)
    default: return move(&random)
    }
  }

  private mutating func release(_ random: inout SeededRandom) -> TestEvent {
    let note = held.remove(at: Int.random(in: 0..<held.count, using: &random))
    return .midi([note[0] - 16, note[1], 64], at: frame)
  }

  private func move(_ random: inout SeededRandom) -> TestEvent {
    let parameters = Bool.random(using: &random) ? bypasses : moved
    let parameter = parameters.randomElement(using: &random)!
    let value =
      [
        parameter.minValue, parameter.maxValue, parameter.defaultValue,
        Float.random(in: parameter.range, using: &random).rounded(),
      ].randomElement(using: &random)!
    return .parameter(parameter.address, value, at: frame)
  }
}

/// A receiver in which one note-off ends all notes of a key.
struct Receiver {
  /// The sounding keys, by channel (high byte) and key (low byte).
  private(set) var sounding: Set<Int> = []

  mutating func take(_ event: TestEvent) {
    guard case .midi(let bytes, _) = event else { return }
    let channel = Int(bytes[0] & 15)
    switch bytes[0] {
    case 0x90...0x9F where bytes[2] > 0: sounding.insert(channel << 8 | Int(bytes[1]))
    case 0x80...0x9F: sounding.remove(channel << 8 | Int(bytes[1]))
    case 0xB0...0xBF where bytes[1] == 120 || bytes[1] >= 123:
      sounding = sounding.filter { $0 >> 8 != channel }
    case 0xFF: sounding = []
    default: break
    }
  }
}

extension TestEvent {
  fileprivate var isUnitBypass: Bool {
    if case .parameter(MovedChain.unitBypass, _, _) = self { true } else { false }
  }
}

extension ChainRig {
  fileprivate func setBypassed(_ isBypassed: Bool) {
    if let exchange {
      exchange.player.setBypassed(isBypassed)
    } else {
      chain.setBypassed(isBypassed)
    }
  }

  /// Time until the repeats of repeats have ended: each echo has 16 at most, a dotted whole note
  /// apart, at 120 beats a minute.
  fileprivate var longestTail: FrameTime {
    FrameTime(1 + kinds.count { $0 == .echo }) * 48_000 * 60
  }
}
