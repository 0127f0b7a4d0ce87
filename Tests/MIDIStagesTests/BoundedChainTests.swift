// The cost of a flood in a chain is bounded, and none of its events is lost.

import MIDIStages
import Realtime
import TestSupport
import Testing

@Suite struct BoundedChainTests {
  private static let stages = [MIDIStageKind](repeating: .transpose, count: 10)

  private static func rig(_ kinds: [MIDIStageKind] = stages) -> ChainRig {
    let rig = ChainRig(kinds, isEdited: true)
    if kinds == stages { rig.setNow("transpose.semitones", 1) }
    return rig
  }

  private static func counters(_ rig: ChainRig) -> DeferredEventCounters { rig.exchange!.counters }

  /// Notes of different channels and keys, on one frame.
  private static func notes(_ count: Int, at frame: FrameTime) -> [TestEvent] {
    (0..<count).map { index -> TestEvent in
      let (channel, key) = (UInt8(index % 16), UInt8(index / 16 % 100))
      return .midi([0x90 | channel, key, 100], at: frame)
    }
  }

  @Test func excessEventsWaitInTheirOrder() {
    let rig = Self.rig()
    let output = rig.run(Self.notes(1_600, at: 10), until: 1_024, period: { 64 })
    let expected = (0..<1_600).map { index -> [UInt8] in
      [0x90 | UInt8(index % 16), UInt8(index / 16 % 100) + 1, 100]
    }
    #expect(output.map(\.bytes) == expected)
    let late = output.filter { $0.frame != 10 }
    #expect(late.count > 400 && late.count < 1_200)
    #expect(late.allSatisfy { $0.frame % 64 == 0 && $0.frame < 256 })
    let counters = Self.counters(rig)
    #expect(counters.deferredEvents == late.count && counters.lostEvents == 0)
    #expect(counters.longestDelayFrames == late.last.map { Int($0.frame) - 10 })
  }

  @Test func eventsThatFitAreOnTheirFrame() {
    let rig = Self.rig()
    let notes = Self.notes(800, at: 10)
    let output = rig.run(notes, until: 640, period: { 64 })
    #expect(output.allSatisfy { $0.frame == 10 } && output.count == 800)
    #expect(Self.counters(rig).deferredEvents == 0)
  }

  /// Eight layers make eight notes of each, whether they were set before the flood or long before
  /// it, during playback.
  @Test(arguments: [false, true])
  func layersCountAsTheirNotes(setsWhilePlaying: Bool) {
    let rig = Self.rig([.channel, .transpose])
    let settings =
      [("channel.mode", 2)] + (1...8).map { ("channel.zones.\($0).channel", Float($0)) }
    var events: [TestEvent] = []
    for (keyPath, value) in settings {
      if setsWhilePlaying {
        events.append(rig.set(keyPath, value, at: 5))
      } else {
        rig.setNow(keyPath, value)
      }
    }
    let start: FrameTime = setsWhilePlaying ? 70_000 : 10
    let notes = (0..<1_500).map { index -> TestEvent in
      .midi([index % 2 == 0 ? 0x90 : 0x80, UInt8(index / 2 % 100), 100], at: start)
    }
    let output = rig.run(events + notes, until: start + 4_000, period: { 64 })
    for status in [0x90, 0x80] as [UInt8] {
      #expect(output.count { $0.bytes.first.map { $0 & 0xF0 == status } ?? false } == 8 * 750)
    }
    #expect(rig.dropped == 0 && Self.counters(rig).lostEvents == 0)
    #expect(Self.counters(rig).deferredEvents > 500)
  }

  @Test func deferredEventsAreTheSameAtEveryPeriod() {
    let kinds: [MIDIStageKind] = [.filter, .transpose, .scale, .chord, .arpeggiator, .echo]
    for seed in 0..<2 as Range<UInt64> {
      var first: [TestEvent]?
      for period in [4_096, 1_000, 64, 17] {
        let rig = Self.rig(kinds)
        rig.setNow("chord.play", 1)
        var random = SeededRandom(seed: seed)
        let output = rig.run(
          Self.flood(on: rig, &random), until: 6_000, period: { period })
        #expect(Self.counters(rig).deferredEvents > 0 && Self.counters(rig).lostEvents == 0)
        #expect(output == first ?? output, "seed \(seed), period \(period)")
        first = output
      }
    }
  }

  private static func flood(on rig: ChainRig, _ random: inout SeededRandom) -> [TestEvent] {
    (0..<3_000).map { index in
      let frame = FrameTime(1_000 + index / 12)
      let channel = UInt8.random(in: 0...3, using: &random)
      let value = UInt8.random(in: 0...127, using: &random)
      switch Int.random(in: 0..<40, using: &random) {
      case 0: return .midi([0xB0 | channel, 120, 0], at: frame)
      case 1: return .midi([0xB0 | channel, 64, value], at: frame)
      case 2...8: return .midi([0xE0 | channel, 0, value], at: frame)
      case 9: return .sysex([0xF0, 0x7D, value, 0xF7], at: frame)
      case 10: return rig.set("transpose.semitones", Float(value % 12), at: frame)
      case 11 where index % 16 == 0: return .midi([0xFF], at: frame)
      case 12...26: return .midi([0x80 | channel, value, 64], at: frame)
      default: return .midi([0x90 | channel, value, 100], at: frame)
      }
    }
  }

  @Test func timingMessagesDoNotWait() {
    let rig = Self.rig()
    let clocks: [TestEvent] = (0..<48).map { .midi([0xF8], at: 11 + $0) }
    let output = rig.run(Self.notes(1_600, at: 10) + clocks, until: 1_024, period: { 64 })
    #expect(output.filter { $0.bytes == [0xF8] } == clocks)
    #expect(output.count == 1_648)
  }

  @Test func deferredNotesDoNotOutliveTheirEnd() {
    let ends: [[UInt8]] = [[0xFF], [0xB0, 120, 0], [0xB9, 120, 0]]
    for end in ends {
      let rig = Self.rig()
      let isReset = end == [0xFF]
      let output = rig.run(
        Self.notes(1_600, at: 10) + [.midi(end, at: 20), .midi([0x90, 60, 1], at: 21)],
        until: 1_024, period: { 64 })
      let place = output.lastIndex { $0.bytes == end }!
      let later = output[(place + 1)...].map(\.bytes)
      #expect(later.contains([0x90, 61, 1]))
      #expect(later.count == 1 || !isReset)
      // Notes of its channel that were not yet played are discarded.
      let noteOn = 0x90 | end[0] & 15
      let played = output[..<place].count { $0.bytes[0] == noteOn }
      #expect(isReset || played < 100, "\(end)")
    }
  }

  @Test func aNoteWhoseEndWasLostEnds() {
    let rig = Self.rig()
    let notes = Self.notes(500, at: 10)
    // Note-offs without a note take the remaining room.
    let fill: [TestEvent] = (0..<12_000).map { .midi([0x8F, 127, 0], at: $0 < 7_000 ? 70 : 134) }
    let ends: [TestEvent] = notes.map { .midi([$0.bytes[0] & 0x8F, $0.bytes[1], 0], at: 140) }
    let output = rig.run(notes + fill + ends, until: 20_000, period: { 64 })
    #expect(Self.counters(rig).lostEvents > 0)
    var sounding: Set<[UInt8]> = []
    for event in output where event.bytes[1] < 127 {
      let note = [event.bytes[0] & 15, event.bytes[1]]
      if event.bytes[0] & 0xF0 == 0x90 { sounding.insert(note) } else { sounding.remove(note) }
    }
    #expect(sounding.isEmpty)
  }
}

extension TestEvent {
  fileprivate var bytes: [UInt8] {
    switch self {
    case .midi(let bytes, _), .sysex(let bytes, _): bytes
    case .parameter: []
    }
  }
}
