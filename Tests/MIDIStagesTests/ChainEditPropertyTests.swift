// Random streams through randomly replaced chains: no note sticks, no event is lost.

import MIDIStages
import Realtime
import TestSupport
import Testing
import UnitRender

@Suite struct ChainEditPropertyTests {
  @Test(arguments: seeds(600))
  func noNoteSticksDuringEdits(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    // Some lists are too short for all output of the chains.
    let capacity = seed % 4 == 3 ? 64 : 8192
    let rig = ChainRig(
      Self.edited([.transpose, .channel, .filter], &random), capacity: capacity, isEdited: true)
    let player = rig.exchange!.player
    var stream = NoteStream(rig: rig, comesBack: seed % 3 == 1)
    var transport: TestTransport?
    var output: [TestEvent] = []
    var inputBalance = Balance()
    for cycle in 0..<30 {
      let end = FrameTime(cycle + 1) * 64
      for _ in 0..<2 where Int.random(in: 0..<4, using: &random) == 0 {
        rig.edit(Self.edited(rig.kinds, &random))
      }
      if Int.random(in: 0..<8, using: &random) == 0 {
        player.setBypassed(Bool.random(using: &random))
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        transport = TestTransport(
          tempo: [30, 120, 300].randomElement(using: &random)!, start: end - 64,
          position: FrameTime.random(in: 0..<1_000_000, using: &random))
      }
      let events = stream.cycle(from: end - 64, &random)
      for event in events { inputBalance.take(event) }
      output += rig.process(
        events,
        slices: [end - FrameTime.random(in: 0..<64, using: &random), end]
      ) { transport?.context($0) ?? MusicalContext() }
    }
    player.setBypassed(false)
    let releases = stream.releaseAll(at: 30 * 64)
    for event in releases { inputBalance.take(event) }
    for slice in releases.chunked(by: capacity / 2) {
      output += rig.process(slice)
    }
    output += rig.run([], until: NoteStream.end) { 4096 }
    var balance = Balance()
    for event in output { balance.take(event) }
    #expect(balance.sounding == [:])
    #expect(balance.pedals == [])
    if rig.dropped == 0 { #expect(balance.excessNoteOffs <= inputBalance.excessNoteOffs) }
    #expect(output.map(\.frame) == output.map(\.frame).sorted())
    // All chains but the playing one have been returned.
    let exchange = rig.exchange!
    exchange.collect()
    #expect(exchange.freed == exchange.made - 1)
  }

  /// The kinds with one added, one removed, two exchanged, or unchanged.
  static func edited(
    _ kinds: [MIDIStageKind], _ random: inout SeededRandom
  ) -> [MIDIStageKind] {
    var kinds = kinds
    switch Int.random(in: 0..<4, using: &random) {
    case 0 where kinds.count < 6, 1 where kinds.isEmpty:
      kinds.insert(
        MIDIStageKind.allCases.randomElement(using: &random)!,
        at: Int.random(in: 0...kinds.count, using: &random))
    case 1: kinds.remove(at: Int.random(in: 0..<kinds.count, using: &random))
    case 2: kinds.shuffle(using: &random)
    default: break
    }
    return kinds
  }
}

extension Array {
  fileprivate func chunked(by count: Int) -> [[Element]] {
    stride(from: 0, to: self.count, by: count).map { Array(self[$0...].prefix(count)) }
  }
}
