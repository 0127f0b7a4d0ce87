// The clock stage and MIDI clock: tempo, jitter, steps, lost ticks, and the song position.

import MIDIStages
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitRender

@Suite struct ClockStageTests {
  static let tickFrames = 1000.0  // 120 beats a minute at 48 kHz

  /// Ticks of a length in frames, from a frame.
  func ticks(
    _ count: Int, of length: Double = tickFrames, from first: Double = 0,
    jitter: () -> Double = { 0 }
  ) -> [TestEvent] {
    (0..<count).map {
      .midi([0xF8], at: FrameTime((first + Double($0) * length + jitter()).rounded()))
    }
  }

  func clockRig(source: Float = 2) -> ChainRig {
    let rig = ChainRig([.clock])
    rig.setNow("clock.source", source)
    return rig
  }

  /// Processes the events one by one; returns the tempo after each.
  func tempos(_ rig: ChainRig, _ events: [TestEvent]) -> [Float] {
    events.map {
      _ = rig.process([$0], slices: [$0.frame + 1])
      return rig.reading("clock.measured")
    }
  }

  @Test(arguments: [20, 60, 120, 133.7, 300]) func theTempoIsLockedAfterFourTicks(tempo: Double) {
    let rig = clockRig()
    let found = tempos(rig, ticks(100, of: 48000 * 60 / tempo / 24, from: 12345))
    for found in found[3...] { #expect(abs(Double(found) / tempo - 1) < 0.01) }
    for found in found[24...] { #expect(abs(Double(found) / tempo - 1) < 0.0005) }
  }

  @Test(arguments: [40, 120, 240], 0..<4 as Range<UInt64>)
  func aMillisecondOfJitterIsFilteredToATenthOfAPercent(tempo: Double, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let rig = clockRig()
    let found = tempos(
      rig,
      ticks(2000, of: 48000 * 60 / tempo / 24, from: 1000) {
        Double.random(in: -48...48, using: &random)
      })
    for found in found[192...] { #expect(abs(Double(found) / tempo - 1) < 0.001) }
  }

  @Test(arguments: [60, 118, 122, 180, 240]) func anotherTempoIsLockedAfterFourTicks(tempo: Double)
  {
    let rig = clockRig()
    let length = 48000 * 60 / tempo / 24
    _ = tempos(rig, ticks(300))
    let found = tempos(rig, ticks(60, of: length, from: 299_000 + length))
    for found in found[3...] { #expect(abs(Double(found) / tempo - 1) < 0.01) }
  }

  @Test func anotherTempoIsLockedAlsoThroughJitter() {
    var random = SeededRandom(seed: 9)
    let rig = clockRig()
    let jitter = { Double.random(in: -48...48, using: &random) }
    _ = tempos(rig, ticks(400, from: 100, jitter: jitter))
    let found = tempos(rig, ticks(300, of: 800, from: 399_900, jitter: jitter))
    for found in found[100...] { #expect(abs(found / 150 - 1) < 0.003) }
    for found in found[200...] { #expect(abs(found / 150 - 1) < 0.001) }
  }

  @Test func lostTicksChangeNeitherTempoNorPosition() {
    let rig = clockRig()
    var events = [TestEvent.midi([0xFA], at: 0)] + ticks(200, from: 500)
    events.removeSubrange(150..<153)
    events.remove(at: 100)
    for found in tempos(rig, events)[6...] { #expect(abs(found - 120) < 0.1) }
    #expect(abs(rig.reading("clock.position") - 199.0 / 24) < 0.001)
  }

  @Test func halfTheTempoIsDistinguishedFromLostTicks() {
    let rig = clockRig()
    _ = tempos(rig, [.midi([0xFA], at: 0)] + ticks(100, from: 0))
    let found = tempos(rig, ticks(30, of: 2000, from: 101_000))
    for found in found[3...] { #expect(abs(found - 60) < 0.1) }
    #expect(abs(rig.reading("clock.position") - 129.0 / 24) < 0.001)
  }

  @Test func theFirstTickAfterStartIsBeatNought() {
    let rig = clockRig()
    _ = rig.process(ticks(50))
    _ = rig.process([.midi([0xFA], at: 49_300)])
    _ = rig.process(ticks(1, from: 50_000))
    #expect(abs(rig.reading("clock.position")) < 1e-3)
    _ = rig.process(ticks(24, from: 51_000))
    #expect(abs(rig.reading("clock.position") - 1) < 1e-3)
  }

  @Test func stopAndContinueKeepThePlaceAndSongPositionMovesIt() {
    let rig = clockRig()
    _ = rig.process([.midi([0xFA], at: 0)] + ticks(48))
    _ = rig.process([.midi([0xFC], at: 47_500)] + ticks(24, from: 48_000))
    _ = rig.process([.midi([0xFB], at: 71_500)] + ticks(1, from: 72_000))
    #expect(abs(rig.reading("clock.position") - 2) < 1e-3)
    // While stopped: sixteenth 40 is beat 10.
    _ = rig.process([.midi([0xFC], at: 72_500)] + ticks(3, from: 73_000))
    _ = rig.process([.midi([0xF2, 40, 0], at: 75_100), .midi([0xFB], at: 75_200)])
    _ = rig.process(ticks(1, from: 76_000))
    #expect(abs(rig.reading("clock.position") - 10) < 1e-3)
    // While running, the position takes effect with the next tick.
    _ = rig.process([.midi([0xF2, 0, 1], at: 76_500)])
    #expect(abs(rig.reading("clock.position") - 10) < 0.1)
    _ = rig.process(ticks(2, from: 77_000))
    #expect(abs(rig.reading("clock.position") - 32 - 1.0 / 24) < 1e-3)
  }

  @Test func anArpeggioFollowsTheSongToItsFrames() {
    var random = SeededRandom(seed: 4)
    let rig = ChainRig([.clock, .arpeggiator])
    var events = ticks(49, from: 100) + [.midi([0xFA], at: 49_000)] + ticks(400, from: 49_100)
    events.append(.midi([0x90, 60, 1], at: 40))
    events.append(rig.set("arpeggiator.gate", 50, at: 41))
    events.sort { $0.frame < $1.frame }
    let output = rig.run(events, until: 300_000) { Int.random(in: 1...2000, using: &random) }
    let starts = output.filter { event in
      if case .midi(let bytes, let frame) = event {
        bytes[0] == 0x90 && frame >= 49_100
      } else {
        false
      }
    }
    #expect(starts.map(\.frame) == (0..<42).map { 49_100 + 6000 * $0 })
  }

  @Test func aClockThatStaysAwayHandsOverAfterHalfASecondOrHoldsItsTempo() {
    for (source, expected) in [(Float(0), Float(90)), (2, 120)] {
      let rig = clockRig(source: source)
      rig.setNow("clock.tempo", 90)
      _ = rig.process([.midi([0xFA], at: 0)] + ticks(25))
      _ = rig.process([], slices: [24_000 + 23_999])
      #expect(abs(rig.reading("clock.measured") - 120) < 0.01)
      _ = rig.process([], slices: [96_000])
      #expect(abs(rig.reading("clock.measured") - expected) < 0.01)
    }
  }

  @Test func theSourcesHaveAnOrderAndOneMayBeChosen() {
    let transport = TestTransport(tempo: 150, start: 0, position: 0)
    func tempo(_ source: Float, _ context: (FrameTime) -> MusicalContext) -> Float {
      let rig = clockRig(source: source)
      rig.setNow("clock.tempo", 90)
      _ = rig.run(
        [.midi([0xFA], at: 0)] + ticks(30), until: 30_000, period: { 100 }, context: context)
      return rig.reading("clock.measured")
    }
    let stopped = { (_: FrameTime) in MusicalContext() }
    #expect(tempo(0, transport.context) == 150)
    #expect(abs(tempo(0, stopped) - 120) < 0.01)
    #expect(abs(tempo(2, transport.context) - 120) < 0.01)
    #expect(tempo(3, transport.context) == 90)
    #expect(tempo(4, transport.context) == 90)
    #expect(tempo(1, stopped) == 90)
  }

  @Test func clockMessagesPassIfTheyAreTo() {
    let messages: [[UInt8]] = [[0xF8], [0xFA], [0xFB], [0xFC], [0xF2, 1, 1], [0xF1, 0x10]]
    let rig = ChainRig([.clock])
    for message in messages { #expect(rig.midi(message) == [message]) }
    rig.setNow("clock.pass", 0)
    for message in messages { #expect(rig.midi(message) == []) }
    let others: [[UInt8]] = [[0xFE], [0xF6], [0xFF], [0x90, 1, 1]]
    for message in others { #expect(rig.midi(message) == [message]) }
    let full: TestEvent = .sysex([0xF0, 0x7F, 0x7F, 1, 1, 0x21, 2, 3, 4, 0xF7], at: 0)
    let other: TestEvent = .sysex([0xF0, 0x7F, 0x7F, 1, 2, 0x21, 2, 3, 4, 0xF7], at: 0)
    #expect(rig.process([full, other]) == [other])
  }
}
