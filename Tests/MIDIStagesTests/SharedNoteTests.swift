// A merged note sounds until the last key that holds it ends, whichever stage merged them.

import MIDIStages
import Realtime
import TestSupport
import Testing
import UnitRender

@Suite struct SharedNoteTests {
  /// Plays messages through a unit's chain, each in its own cycle, frame by frame.
  func play(_ rig: ChainRig, _ messages: [UInt8]...) -> [[UInt8]] {
    messages.flatMap { message in
      rig.process([.midi(message, at: rig.now)]).compactMap { event -> [UInt8]? in
        if case .midi(let bytes, _) = event { bytes } else { nil }
      }
    }
  }

  @Test func keysThatAScaleMakesOneSoundUntilTheLastIsReleased() {
    for releases in [[60, 61], [61, 60]] as [[UInt8]] {
      let rig = ChainRig([.scale], isEdited: true)
      rig.setNow("scale.scale", 1)
      let output = play(
        rig, [0x90, 60, 100], [0x90, 61, 80], [0x80, releases[0], 0], [0x80, releases[1], 7])
      #expect(output == [[0x90, 60, 100], [0x80, 60, 64], [0x90, 60, 80], [0x80, 60, 7]])
    }
  }

  @Test func channelsThatAreMergedToo() {
    let rig = ChainRig([.channel], isEdited: true)
    rig.setNow("channel.mode", 1)
    let output = play(
      rig, [0x90, 60, 100], [0x95, 60, 80], [0x90, 64, 1], [0x80, 60, 0], [0x80, 64, 0],
      [0x85, 60, 0])
    #expect(
      output == [
        [0x90, 60, 100], [0x80, 60, 64], [0x90, 60, 80], [0x90, 64, 1], [0x80, 64, 0],
        [0x80, 60, 0],
      ])
  }

  @Test func chordsThatShareANoteToo() {
    let rig = ChainRig([.chord], isEdited: true)
    rig.setNow("chord.play", 1)
    // C and E major have the E in common.
    _ = play(rig, [0x90, 60, 100])
    #expect(
      play(rig, [0x90, 64, 90]) == [
        [0x80, 64, 64], [0x90, 64, 90], [0x90, 68, 90], [0x90, 71, 90],
      ])
    #expect(play(rig, [0x80, 60, 0]) == [[0x80, 60, 0], [0x80, 67, 0]])
    #expect(play(rig, [0x80, 64, 0]) == [[0x80, 64, 0], [0x80, 68, 0], [0x80, 71, 0]])
  }

  @Test func notesAroundAStageAndOfAnotherChainToo() {
    let rig = ChainRig([.transpose], isEdited: true)
    rig.setNow("transpose.semitones", 12)
    #expect(play(rig, [0x90, 60, 1]) == [[0x90, 72, 1]])
    rig.exchange!.player.setBypassed(true)
    #expect(play(rig, [0x90, 72, 2]) == [[0x80, 72, 64], [0x90, 72, 2]])
    #expect(play(rig, [0x80, 60, 0]) == [])
    rig.edit([])
    #expect(play(rig, [0x80, 72, 0]) == [[0x80, 72, 0]])
    rig.edit([.transpose])
    rig.setNow("transpose.semitones", 12)
    rig.exchange!.player.setBypassed(false)
    #expect(play(rig, [0x90, 60, 1]) == [[0x90, 72, 1]])
    rig.edit([.filter])
    #expect(play(rig, [0x90, 72, 2]) == [[0x80, 72, 64], [0x90, 72, 2]])
    #expect(play(rig, [0x80, 72, 0], [0x80, 60, 0]) == [[0x80, 72, 0]])
  }

  /// Repeated presses of a single key pass unchanged, and a source that omits note-offs leaves no
  /// note sounding.
  @Test func ofOneKeyTheFirstReleaseCounts() {
    let rig = ChainRig([.scale], isEdited: true)
    rig.setNow("scale.scale", 1)
    let twice: [[UInt8]] = [[0x90, 60, 1], [0x90, 60, 2], [0x80, 60, 0]]
    #expect(twice.flatMap { play(rig, $0) } == twice)
    #expect(play(rig, [0x90, 61, 3], [0x80, 61, 0]) == [[0x90, 60, 3], [0x80, 60, 0]])
    #expect(play(rig, [0x80, 60, 0]) == [[0x80, 60, 0]])
    // Struck twice together with another key: its first release takes effect.
    #expect(
      play(rig, [0x90, 60, 1], [0x90, 60, 2], [0x90, 61, 3]) == [
        [0x90, 60, 1], [0x90, 60, 2], [0x80, 60, 64], [0x80, 60, 64], [0x90, 60, 3],
      ])
    #expect(play(rig, [0x80, 60, 0]) == [])
    #expect(play(rig, [0x80, 61, 0]) == [[0x80, 60, 0]])
    #expect(play(rig, [0x80, 60, 0]) == [])
  }

  @Test func aNoteAsLongAsTheDelayOrLongerLosesNoRepeat() {
    for (length, ends) in [(12_000, 0), (30_000, 1)] as [(FrameTime, Int)] {
      let rig = ChainRig([.echo], isEdited: true)
      rig.setNow("echo.repeats", 2)
      rig.setNow("echo.velocity", 50)
      let output = rig.run(
        [.midi([0x90, 60, 100], at: 0), .midi([0x80, 60, 1], at: length)], until: 100_000
      ) { 256 }
      let ons = [(0, 100), (12_000, 50), (24_000, 25)] as [(FrameTime, UInt8)]
      var expected: [TestEvent] = []
      for (index, on) in ons.enumerated() {
        let off: UInt8 = ends == 0 && index == 1 ? 1 : 64
        if index > 0 { expected.append(.midi([0x80, 60, off], at: on.0)) }
        expected.append(.midi([0x90, 60, on.1], at: on.0))
      }
      expected.append(.midi([0x80, 60, 64], at: 24_000 + length))
      #expect(output == expected)
    }
  }

  @Test func aResetEndsSoundingNotes() {
    let rig = ChainRig([.transpose, .echo], isEdited: true)
    rig.setNow("transpose.semitones", 12)
    _ = play(rig, [0x90, 60, 1], [0xB0, 64, 127])
    _ = rig.run([], until: 12_100) { 500 }
    rig.exchange!.player.reset()
    #expect(play(rig, [0xF8]) == [[0x80, 72, 64], [0xB0, 64, 0], [0xF8]])
    #expect(rig.run([], until: 100_000) { 500 } == [])
    #expect(play(rig, [0x80, 60, 1]) == [])
  }

  @Test(arguments: seeds(40))
  func everyStartedNoteEndsInRandomChains(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let kinds: [MIDIStageKind] = [
      .scale, .transpose, .channel, .chord, .echo, .arpeggiator, .filter,
    ]
    let rig = ChainRig(
      (0..<Int.random(in: 1...6, using: &random)).map { _ in kinds.randomElement(using: &random)! },
      capacity: seed % 4 == 3 ? 96 : 8192, isEdited: true)
    var stream = NoteStream(rig: rig)
    var output: [TestEvent] = []
    for cycle in 0..<30 {
      let end = FrameTime(cycle + 1) * 64
      if Int.random(in: 0..<6, using: &random) == 0 {
        rig.edit(ChainEditPropertyTests.edited(rig.kinds, &random))
      }
      if Int.random(in: 0..<10, using: &random) == 0 { rig.exchange!.player.reset() }
      var events = stream.cycle(from: end - 64, &random)
      if cycle == 15 && seed % 2 == 0 {
        // As many events as fit a port's buffer.
        while events.count < 2700 { events += stream.cycle(from: end - 64, &random) }
        let count = events.count
        events = events.enumerated().map { $1.at(end - 64 + FrameTime($0 * 64 / count)) }
      }
      output += rig.process(
        events, slices: [end - FrameTime.random(in: 0..<64, using: &random), end])
    }
    for event in stream.releaseAll(at: 30 * 64) { output += rig.process([event]) }
    output += rig.run([], until: NoteStream.end) { 4096 }
    var balance = Balance()
    for event in output { balance.take(event) }
    #expect(balance.sounding == [:])
    #expect(balance.pedals == [])
    #expect(output.map(\.frame) == output.map(\.frame).sorted())
  }
}

extension TestEvent {
  fileprivate func at(_ frame: FrameTime) -> TestEvent {
    switch self {
    case .midi(let bytes, _): .midi(bytes, at: frame)
    case .parameter(let address, let value, _): .parameter(address, value, at: frame)
    case .sysex(let bytes, _): .sysex(bytes, at: frame)
    }
  }
}
