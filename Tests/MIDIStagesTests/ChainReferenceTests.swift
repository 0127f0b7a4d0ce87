// A chain equals its stages in series, each in a separate chain.

import MIDIStages
import Realtime
import TestSupport
import Testing

@Suite struct ChainReferenceTests {
  @Test(arguments: seeds(400))
  func aChainIsItsStagesOneAfterTheOther(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let kinds = (0..<Int.random(in: 2...9, using: &random)).map { _ in
      // A clock stage's output to later stages is not an event.
      MIDIStageKind.allCases.filter { $0 != .clock }.randomElement(using: &random)!
    }
    let chain = ChainRig(kinds)
    let stages = StagesAlone(kinds)
    var stream = NoteStream(rig: chain)
    for cycle in 0..<12 {
      let end = FrameTime(cycle + 1) * 64
      let events = stream.cycle(from: end - 64, &random)
      let slices = [end - FrameTime.random(in: 0..<64, using: &random), end]
      #expect(chain.process(events, slices: slices) == stages.process(events, slices: slices))
      switch Int.random(in: 0..<20, using: &random) {
      case 0, 1:
        let isBypassed = Bool.random(using: &random)
        for rig in [chain] + stages.rigs { rig.chain.setBypassed(isBypassed) }
      case 2: for rig in [chain] + stages.rigs { rig.chain.reset() }
      default: break
      }
    }
    let releases = stream.releaseAll(at: 12 * 64)
    for end in [13 * 64, 48_000, 96_000, 144_000] as [FrameTime] {
      let events = end == 13 * 64 ? releases : []
      #expect(chain.process(events, slices: [end]) == stages.process(events, slices: [end]))
    }
  }

  /// In its own chain each stage remembers its notes separately.
  @Test(arguments: seeds(400))
  func stagesThatChangeNothingNowAndThenAreThemselvesOneAfterTheOther(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let chain = ChainRig.randomOfNotes(&random)
    let stages = StagesAlone(chain.kinds)
    var stream = NoteStream(rig: chain, comesBack: true)
    for cycle in 0..<30 {
      let end = FrameTime(cycle + 1) * 64
      let events = stream.cycle(from: end - 64, &random)
      let slices = [end - FrameTime.random(in: 0..<64, using: &random), end]
      #expect(chain.process(events, slices: slices) == stages.process(events, slices: slices))
      switch Int.random(in: 0..<60, using: &random) {
      case 0, 1, 2, 3:
        let isBypassed = Bool.random(using: &random)
        for rig in [chain] + stages.rigs { rig.chain.setBypassed(isBypassed) }
      case 4: for rig in [chain] + stages.rigs { rig.chain.reset() }
      default: break
      }
    }
  }

  @Test func aChainOfManyStagesIsThemOneAfterTheOtherToo() {
    var random = SeededRandom(seed: 1)
    let kinds = (0..<200).map { _ in
      [.filter, .transpose, .velocity, .scale, .channel, .bend, .chord, .controller]
        .randomElement(using: &random)! as MIDIStageKind
    }
    let chain = ChainRig(kinds)
    let stages = StagesAlone(kinds)
    var stream = NoteStream(rig: chain)
    for cycle in 0..<8 {
      let end = FrameTime(cycle + 1) * 64
      let events = stream.cycle(from: end - 64, &random)
      #expect(chain.process(events, slices: [end]) == stages.process(events, slices: [end]))
    }
  }
}

/// The stages of a chain, each in a separate chain.
private struct StagesAlone {
  let rigs: [ChainRig]
  private let layout: MIDIChainLayout

  init(_ kinds: [MIDIStageKind]) {
    rigs = kinds.map { ChainRig([$0]) }
    layout = MIDIChainLayout(kinds)
  }

  func process(_ events: [TestEvent], slices: [FrameTime]) -> [TestEvent] {
    var events = events
    for (rig, stage) in zip(rigs, layout.stages) {
      events = rig.process(events.map { stage.readdressed($0) }, slices: slices)
        .map { stage.readdressed($0) }
    }
    return events
  }
}

extension MIDIChainLayout.Stage {
  /// Converts a parameter event between this stage's address and that of the first of its kind.
  fileprivate func readdressed(_ event: TestEvent) -> TestEvent {
    guard case .parameter(let address, let value, let frame) = event else { return event }
    let first = MIDIChainLayout([kind]).stages[0].baseAddress
    if address &- baseAddress < 0x100 {
      return .parameter(address - baseAddress + first, value, at: frame)
    }
    if address &- first < 0x100 {
      return .parameter(address - first + baseAddress, value, at: frame)
    }
    return event
  }
}
