// An echo's repeats, their frames, and their ends.

import MIDIStages
import Realtime
import TestSupport
import Testing
import UnitRender

@Suite struct EchoStageTests {
  /// An echo of an eighth: 12,000 frames at 120 beats a minute and 48 kHz.
  func echo(_ settings: [(String, Float)] = []) -> ChainRig {
    let rig = ChainRig([.echo])
    for (name, value) in settings { rig.setNow("echo." + name, value) }
    return rig
  }

  func note(_ key: UInt8, from begin: FrameTime, to end: FrameTime) -> [TestEvent] {
    [.midi([0x90, key, 100], at: begin), .midi([0x80, key, 1], at: end)]
  }

  @Test func repeatsComeInTimeAsLongAsTheirNotesAndSofter() {
    let output = echo().run(note(60, from: 101, to: 3000), until: 100_000) { 256 }
    #expect(
      output == [
        .midi([0x90, 60, 100], at: 101), .midi([0x80, 60, 1], at: 3000),
        .midi([0x90, 60, 70], at: 12_101), .midi([0x80, 60, 64], at: 15_000),
        .midi([0x90, 60, 49], at: 24_101), .midi([0x80, 60, 64], at: 27_000),
        .midi([0x90, 60, 34], at: 36_101), .midi([0x80, 60, 64], at: 39_000),
      ])
  }

  @Test(arguments: [16, 64, 100, 256, 1024, 0]) func thePeriodChangesNothing(period: Int) {
    func play(_ period: () -> Int) -> [TestEvent] {
      let rig = ChainRig([.clock, .echo])
      rig.setNow("clock.tempo", 101)
      rig.setNow("echo.repeats", 9)
      rig.setNow("echo.semitones", 3)
      var events = note(60, from: 101, to: 30_000) + note(62, from: 2003, to: 2004)
      events += [rig.set("clock.tempo", 180, at: 25_001), rig.set("echo.delay", 4, at: 27_000)]
      events += note(10, from: 27_000, to: 28_000)
      return rig.run(events.sorted { $0.frame < $1.frame }, until: 500_000, period: period)
    }
    var random = SeededRandom(seed: 2)
    let expected = play { 500_000 }
    #expect(expected.count == 62)
    let same = play { period > 0 ? period : Int.random(in: 1...3000, using: &random) } == expected
    #expect(same)
  }

  @Test func aRepeatHasTheSettingsOfItsNoteAndTheTempoOfItsTime() {
    let rig = ChainRig([.clock, .echo])
    let events =
      note(60, from: 0, to: 100)
      + [
        rig.set("echo.repeats", 0, at: 200), rig.set("echo.delay", 0, at: 200),
        rig.set("echo.semitones", 5, at: 200), rig.set("clock.tempo", 240, at: 6000),
      ]
    let starts = rig.run(events, until: 100_000) { 500 }.filter {
      if case .midi(let bytes, _) = $0 { bytes[0] == 0x90 } else { false }
    }
    // Half of the first delay at 120 beats a minute, all others at 240.
    #expect(starts.map(\.frame) == [0, 9000, 15_000, 21_000])
  }

  @Test func aJumpOfThePositionLeavesTheDistance() {
    let context = { (frame: FrameTime) in
      TestTransport(tempo: 120, start: frame / 5000 * 5000, position: 777_000).context(frame)
    }
    let output = echo().run(
      note(60, from: 0, to: 10), until: 50_000, period: { 1000 }, context: context)
    #expect(output.map(\.frame) == [0, 10, 12_000, 12_010, 24_000, 24_010, 36_000, 36_010])
  }

  @Test func anotherClockTakesOverInTheMiddleOfADelay() {
    let rig = ChainRig([.clock, .echo])
    rig.setNow("clock.tempo", 240)
    rig.setNow("echo.repeats", 1)
    let events =
      note(60, from: 100_000, to: 100_010) + [rig.set("clock.bypass", 1, at: 100_100)]
    let output = rig.run(events, until: 200_000) { 512 }
    // Half a beat: 100 frames at 240 beats a minute, the rest at 120 as in a chain without a clock.
    // At that tempo the ten frames of the note last twice as long.
    #expect(output.suffix(2).map(\.frame) == [111_900, 111_920])
  }

  @Test func repeatsMoveBySemitonesAndStayWithinTheKeys() {
    let rig = echo([("semitones", 12), ("repeats", 4), ("velocity", 100)])
    let output = rig.run(note(100, from: 0, to: 10), until: 100_000) { 500 }
    #expect(
      output == [
        .midi([0x90, 100, 100], at: 0), .midi([0x80, 100, 1], at: 10),
        .midi([0x90, 112, 100], at: 12_000), .midi([0x80, 112, 64], at: 12_010),
        .midi([0x90, 124, 100], at: 24_000), .midi([0x80, 124, 64], at: 24_010),
      ])
  }

  @Test func repeatsEndWhereTheirVelocityDoes() {
    let rig = echo([("repeats", 16), ("velocity", 10)])
    #expect(rig.run(note(60, from: 0, to: 10), until: 300_000) { 500 }.count == 6)
  }

  @Test func aHeldNotesRepeatsAreHeld() {
    let output = echo([("repeats", 2)]).run(note(60, from: 0, to: 50_000), until: 100_000) { 500 }
    #expect(output.map(\.frame) == [0, 12_000, 24_000, 50_000, 62_000, 74_000])
  }

  @Test func allNotesOffEndsTheRepeatsOfItsChannel() {
    let events =
      note(60, from: 0, to: 10) + [
        .midi([0x91, 61, 100], at: 20), .midi([0x81, 61, 0], at: 30),
        .midi([0xB0, 123, 0], at: 12_005),
      ]
    let output = echo([("repeats", 1)]).run(events, until: 100_000) { 500 }
    #expect(
      output.suffix(4) == [
        .midi([0x90, 60, 70], at: 12_000), .midi([0xB0, 123, 0], at: 12_005),
        .midi([0x91, 61, 70], at: 12_020), .midi([0x81, 61, 64], at: 12_030),
      ])
  }

  /// 100 notes with different keys, and delays in any order. The notes of one channel end
  /// meanwhile, from the middle of all others.
  @Test(arguments: seeds(20)) func repeatsOfManyDelaysComeEachInItsTime(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let rig = echo([("velocity", 100), ("repeats", 2)])
    // Dotted, plain and triplet delays, from 1/1 to 1/64.
    let delays: [FrameTime] = (0...6).flatMap { power in
      [96_000, 144_000, 64_000].map { $0 >> FrameTime(power) }
    }
    let allOff = FrameTime.random(in: 10_000..<200_000, using: &random)
    var events: [TestEvent] = [.midi([0xB1, 123, 0], at: allOff)]
    var expected: [TestEvent] = events
    for number in 0..<100 as Range<UInt8> {
      let begin = FrameTime.random(in: 0..<10_000, using: &random)
      let end = begin + FrameTime.random(in: 1..<200_000, using: &random)
      let delay = delays.indices.randomElement(using: &random)!
      let channel = UInt8.random(in: 0...1, using: &random)
      let on: [UInt8] = [0x90 | channel, number, 100]
      let off: [UInt8] = [0x80 | channel, number, 64]
      events += [
        rig.set("echo.delay", Float(delay), at: begin), .midi(on, at: begin), .midi(off, at: end),
      ]
      expected += [.midi(on, at: begin), .midi(off, at: end)]
      for repeated in [delays[delay], 2 * delays[delay]] {
        // On its channel, repeats due on or after the frame of All Notes Off are not played.
        if channel == 0 || begin + repeated < allOff {
          expected.append(.midi(on, at: begin + repeated))
        }
        if channel == 0 || end + repeated < allOff {
          expected.append(.midi(off, at: end + repeated))
        }
      }
    }
    // A note's delay is set right before it.
    let sorted = events.enumerated().sorted {
      ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset)
    }.map(\.element)
    let output = rig.run(sorted, until: 600_000) { 1000 }.filter {
      if case .midi = $0 { true } else { false }
    }
    #expect(output.map(\.frame) == output.map(\.frame).sorted())
    #expect(Set(output) == Set(expected) && output.count == expected.count)
    #expect(rig.dropped == 0)
  }

  @Test func aFullStoreIsCountedAndLeavesNoNoteHanging() {
    let rig = echo([("repeats", 2)])
    var balance = Balance()
    for key in 0..<128 as Range<UInt8> {
      for event in rig.process(
        (0...3).map { .midi([0x90 | $0, key, 100], at: FrameTime(key)) },
        slices: [FrameTime(key) + 1])
      {
        balance.take(event)
      }
    }
    #expect(rig.dropped == 256)
    let ends = (0..<128 as Range<UInt8>).flatMap { key in
      (0...3 as ClosedRange<UInt8>).map { TestEvent.midi([0x80 | $0, key, 0], at: 200) }
    }
    for event in rig.run(ends, until: 100_000, period: { 1000 }) { balance.take(event) }
    #expect(balance.sounding == [:])
    #expect(balance.excessNoteOffs == 0)
  }

  @Test func aFullListLosesNoNoteOff() {
    let rig = ChainRig([.echo], capacity: 4)
    var output = rig.run(note(60, from: 0, to: 10), until: 12_005) { 500 }
    #expect(output.count == 3)
    output = rig.process((0..<4).map { .midi([0xB0, 1, $0], at: 12_006) }, slices: [12_100])
    #expect(output.count == 4)
    #expect(rig.process([], slices: [12_200]) == [.midi([0x80, 60, 64], at: 12_100)])
  }
}
