// The arpeggiator's notes and their frames.

import MIDIStages
import Realtime
import TestSupport
import Testing
import UnitRender

@Suite struct ArpeggiatorStageTests {
  /// At 120 beats a minute and 48 kHz a sixteenth has 6000 frames.
  static let sixteenth: FrameTime = 6000

  func chord(at frame: FrameTime, keys: [UInt8] = [60, 64, 67]) -> [TestEvent] {
    keys.map { .midi([0x90, $0, 100], at: frame) }
  }

  func release(at frame: FrameTime, keys: [UInt8] = [60, 64, 67]) -> [TestEvent] {
    keys.map { .midi([0x80, $0, 0], at: frame) }
  }

  /// The note-ons, as key and frame.
  func notes(_ events: [TestEvent]) -> [[FrameTime]] {
    events.compactMap {
      guard case .midi(let bytes, let frame) = $0, bytes[0] & 0xF0 == 0x90 else { return nil }
      return [FrameTime(bytes[1]), frame]
    }
  }

  func keys(_ rig: ChainRig, steps: Int, held: [UInt8] = [64, 60, 67]) -> [FrameTime] {
    let events = chord(at: 0, keys: held)
    let until = FrameTime(steps) * Self.sixteenth
    return notes(rig.run(events, until: until) { 256 }).map { $0[0] }
  }

  @Test func withoutATransportTheFirstKeysFrameIsTheFirstStep() {
    let rig = ChainRig([.arpeggiator])
    let output = rig.run(chord(at: 1234) + release(at: 20000), until: 60000) { 100 }
    #expect(
      output == [
        .midi([0x90, 60, 100], at: 1234), .midi([0x80, 60, 64], at: 6034),
        .midi([0x90, 64, 100], at: 7234), .midi([0x80, 64, 64], at: 12034),
        .midi([0x90, 67, 100], at: 13234), .midi([0x80, 67, 64], at: 18034),
        .midi([0x90, 60, 100], at: 19234), .midi([0x80, 60, 64], at: 24034),
      ])
  }

  @Test(arguments: [16, 64, 100, 256, 1024, 0]) func thePeriodChangesNothing(period: Int) {
    func play(_ period: () -> Int) -> [TestEvent] {
      let rig = ChainRig([.clock, .arpeggiator])
      rig.setNow("clock.tempo", 133)
      rig.setNow("arpeggiator.rate", 14)
      rig.setNow("arpeggiator.swing", 61)
      rig.setNow("arpeggiator.mode", 3)
      rig.setNow("arpeggiator.gate", 130)
      let events =
        chord(at: 777) + [rig.set("clock.tempo", 97.5, at: 30001)]
        + [rig.set("arpeggiator.rate", 13, at: 50003)] + release(at: 90001)
      return rig.run(events, until: 150_000, period: period)
    }
    var random = SeededRandom(seed: 1)
    let expected = play { 150_000 }
    #expect(notes(expected).count > 15)
    let same = play { period > 0 ? period : Int.random(in: 1...3000, using: &random) } == expected
    #expect(same)
  }

  @Test func aRollingTransportGivesTheGrid() {
    let rig = ChainRig([.arpeggiator])
    let transport = TestTransport(tempo: 120, start: 0, position: 48000 + 100)
    let output = rig.run(chord(at: 10), until: 48000, period: { 480 }, context: transport.context)
    // Frame 0 is 100 frames after a beat.
    #expect(notes(output).map { $0[1] } == (1...8).map { $0 * 6000 - 100 })
    #expect(notes(output).map { $0[0] } == [60, 64, 67, 60, 64, 67, 60, 64])
  }

  @Test func ticksCoarserThanFramesMoveNoStep() {
    let rig = ChainRig([.arpeggiator])
    // A tick of the transport has 12.5 frames; 48,011 is in the middle of one.
    let transport = TestTransport(tempo: 120, start: 0, position: 48_011)
    let output = rig.run(chord(at: 10), until: 48000, period: { 480 }, context: transport.context)
    #expect(notes(output).map { $0[1] } == (1...8).map { $0 * 6000 - 11 })
  }

  @Test func afterAJumpTheNextStepFallsOnItsGridFrame() {
    let rig = ChainRig([.arpeggiator])
    var transport = TestTransport(tempo: 120, start: 0, position: 0)
    let first = rig.run(chord(at: 0), until: 25000, period: { 1000 }, context: transport.context)
    #expect(notes(first).map { $0[1] } == [0, 6000, 12000, 18000, 24000])
    // A loop from frame 25,000 back to 1,500 of the transport.
    transport = TestTransport(tempo: 120, start: 25000, position: 1500)
    let second = rig.run([], until: 40000, period: { 1000 }, context: transport.context)
    #expect(notes(second).map { $0[1] } == [29500, 35500])
    // Then a distant position, at another tempo.
    transport = TestTransport(tempo: 90, start: 40000, position: 480_000_100)
    let third = rig.run([], until: 60000, period: { 1000 }, context: transport.context)
    #expect(notes(third).map { $0[1] } == [40000 + 7900, 40000 + 15900])
  }

  @Test(arguments: [
    (0, 1, [60, 64, 67, 60]), (1, 1, [67, 64, 60, 67]), (2, 1, [60, 64, 67, 64, 60, 64]),
    (4, 1, [64, 60, 67, 64]), (0, 2, [60, 64, 67, 72, 76, 79, 60]),
    (2, 2, [60, 64, 67, 72, 76, 79, 76, 72, 67, 64, 60]),
    (5, 2, [60, 64, 67, 72, 76, 79, 60, 64, 67]),
  ]) func modesGoThroughTheKeys(mode: Int, octaves: Int, expected: [Int]) {
    let rig = ChainRig([.arpeggiator])
    rig.setNow("arpeggiator.mode", Float(mode))
    rig.setNow("arpeggiator.octaves", Float(octaves))
    let steps = mode == 5 ? 3 : expected.count
    #expect(keys(rig, steps: steps) == expected.map { FrameTime($0) })
  }

  @Test func randomIsTheSameForASeedAndAPlace() {
    func play(_ seed: Float) -> [FrameTime] {
      let rig = ChainRig([.arpeggiator])
      rig.setNow("arpeggiator.mode", 3)
      rig.setNow("arpeggiator.octaves", 2)
      rig.setNow("arpeggiator.seed", seed)
      return keys(rig, steps: 40)
    }
    #expect(play(1) == play(1))
    #expect(play(1) != play(2))
    #expect(Set(play(1)) == [60, 64, 67, 72, 76, 79])
  }

  @Test func aLoopRepeatsItsRandomNotes() {
    let rig = ChainRig([.arpeggiator])
    rig.setNow("arpeggiator.mode", 3)
    let loop: FrameTime = 48000
    let context = { (frame: FrameTime) in
      let start = frame / loop * loop
      return TestTransport(tempo: 120, start: start, position: 96000).context(frame)
    }
    let output = notes(rig.run(chord(at: 0), until: 3 * loop, period: { 1000 }, context: context))
    #expect(output.count == 24)
    #expect(output[8..<16].map { [$0[0], $0[1] - loop] } == Array(output[..<8]))
    #expect(output[16...].map { [$0[0], $0[1] - 2 * loop] } == Array(output[..<8]))
  }

  @Test func swingDelaysEverySecondStepAndGatesReachOver() {
    let rig = ChainRig([.arpeggiator])
    rig.setNow("arpeggiator.swing", 75)
    rig.setNow("arpeggiator.gate", 200)
    let output = rig.run(chord(at: 0, keys: [60, 64]), until: 20000) { 64 }
    #expect(
      output == [
        .midi([0x90, 60, 100], at: 0), .midi([0x90, 64, 100], at: 9000),
        .midi([0x80, 60, 64], at: 12000), .midi([0x90, 60, 100], at: 12000),
      ])
  }

  @Test func aFullGateEndsWhereTheNextStepBegins() {
    let rig = ChainRig([.clock, .arpeggiator])
    rig.setNow("clock.tempo", 119)
    rig.setNow("arpeggiator.gate", 100)
    let output = rig.run(chord(at: 5), until: 480_000) { 512 }
    for (index, event) in output.enumerated() where index % 2 == 1 && index + 1 < output.count {
      #expect(
        event == .midi([0x80, [60, 64, 67][index / 2 % 3], 64], at: output[index + 1].frame))
    }
    #expect(output.count > 100)
  }

  @Test func velocitiesAreAsPlayedFixedOrAccented() {
    func play(_ mode: Float) -> [UInt8] {
      let rig = ChainRig([.arpeggiator])
      rig.setNow("arpeggiator.velocities", mode)
      rig.setNow("arpeggiator.velocity", 120)
      let keys: [TestEvent] = [.midi([0x90, 60, 50], at: 0), .midi([0x90, 61, 70], at: 0)]
      return rig.run(keys, until: 5 * Self.sixteenth) { 777 }.compactMap {
        if case .midi(let bytes, _) = $0, bytes[0] == 0x90 { bytes[2] } else { nil }
      }
    }
    #expect(play(0) == [50, 70, 50, 70, 50])
    #expect(play(1) == [120, 120, 120, 120, 120])
    #expect(play(2) == [120, 70, 50, 70, 120])
  }

  @Test func aLatchKeepsKeysUntilTheNextOnes() {
    let rig = ChainRig([.arpeggiator])
    rig.setNow("arpeggiator.latch", 1)
    let events =
      chord(at: 0, keys: [60, 62]) + release(at: 10, keys: [60, 62])
      + chord(at: 20000, keys: [72]) + release(at: 20010, keys: [72])
      + [rig.set("arpeggiator.latch", 0, at: 30000)]
    #expect(
      notes(rig.run(events, until: 60000) { 300 })
        == [[60, 0], [62, 6000], [60, 12000], [62, 18000], [72, 20000], [72, 26000]])
  }

  @Test func thePedalPassesOrHolds() {
    let rig = ChainRig([.arpeggiator])
    #expect(rig.midi([0xB0, 64, 127], [0xB0, 64, 0]) == [[0xB0, 64, 127], [0xB0, 64, 0]])
    let holding = ChainRig([.arpeggiator])
    holding.setNow("arpeggiator.pedal", 1)
    let events =
      chord(at: 0, keys: [60]) + [.midi([0xB0, 64, 127], at: 5)] + release(at: 10, keys: [60])
      + [.midi([0xB0, 64, 0], at: 13000)]
    let output = holding.run(events, until: 40000) { 300 }
    #expect(notes(output) == [[60, 0], [60, 6000], [60, 12000]])
    #expect(output.count == 6)
  }

  @Test func allNotesOffEndsTheKeysOfItsChannel() {
    let rig = ChainRig([.arpeggiator])
    rig.setNow("arpeggiator.latch", 1)
    let events: [TestEvent] = [
      .midi([0x90, 60, 1], at: 0), .midi([0x91, 61, 1], at: 0), .midi([0xB0, 123, 0], at: 7000),
    ]
    let output = rig.run(events, until: 20000) { 300 }
    #expect(notes(output) == [[60, 0], [61, 6000], [61, 12000], [61, 18000]])
    #expect(output.contains(.midi([0xB0, 123, 0], at: 7000)))
  }

  @Test func channelsThatAreSwitchedOffPassAndEachNoteOffFindsItsNote() {
    let rig = ChainRig([.arpeggiator])
    rig.setNow("arpeggiator.channels.1", 0)
    let events: [TestEvent] = [
      .midi([0x90, 60, 1], at: 0), rig.set("arpeggiator.channels.1", 1, at: 10),
      .midi([0x90, 61, 1], at: 20), rig.set("arpeggiator.channels.1", 0, at: 30),
      .midi([0x80, 60, 0], at: 40), .midi([0x80, 61, 0], at: 50),
    ]
    #expect(
      rig.run(events, until: 20000, period: { 7 }).filter {
        if case .midi = $0 { true } else { false }
      } == [
        .midi([0x90, 60, 1], at: 0), .midi([0x90, 61, 1], at: 20), .midi([0x80, 60, 0], at: 40),
        .midi([0x80, 61, 64], at: 4820),
      ])
  }

  @Test func aFullListLosesNoNoteOff() {
    let rig = ChainRig([.arpeggiator], capacity: 4)
    let full: [TestEvent] = (0..<4).map { .midi([0xB0, 1, $0], at: 4800) }
    var output = rig.process(chord(at: 0, keys: [60]), slices: [4800])
    output += rig.process(full, slices: [4900])
    #expect(output.count == 5)
    #expect(rig.process([], slices: [5000]) == [.midi([0x80, 60, 64], at: 4900)])
  }
}

/// A rolling transport with a master that states ticks, 1920 a beat, as JACK's do.
struct TestTransport {
  let tempo: Double
  /// Frame at which the transport reaches or jumps to `position`, in frames.
  let start: FrameTime
  let position: FrameTime

  func context(_ frame: FrameTime) -> MusicalContext {
    var context = MusicalContext()
    let at = Double(position + frame - start)
    context.valid = UInt32(
      kMusicalContextTempo | kMusicalContextBeatPosition | kTransportPosition)
    context.transportFlags = UInt32(kTransportMoving) | (frame == start ? 1 : 0)
    context.tempo = tempo
    context.samplePosition = at
    context.beatPosition = (at * tempo / (60 * 48000) * 1920).rounded(.down) / 1920
    return context
  }
}
