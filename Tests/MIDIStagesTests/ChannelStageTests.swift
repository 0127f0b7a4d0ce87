// The channel stage's routes of messages; notes end on the channels where they began.

import Foundation
import Realtime
import TestSupport
import Testing

@Suite struct ChannelStageTests {
  let rig = ChainRig([.channel])

  func zone(
    _ number: Int, _ channel: Float, _ keys: ClosedRange<Float>, _ fades: (Float, Float) = (0, 0)
  ) {
    rig.setNow("channel.mode", 2)
    rig.setNow("channel.zones.\(number).channel", channel)
    rig.setNow("channel.zones.\(number).keyLow", keys.lowerBound)
    rig.setNow("channel.zones.\(number).keyHigh", keys.upperBound)
    rig.setNow("channel.zones.\(number).fadeLow", fades.0)
    rig.setNow("channel.zones.\(number).fadeHigh", fades.1)
  }

  static let kinds: [[UInt8]] = [
    [0x90, 60, 1], [0xA0, 60, 9], [0xB0, 7, 1], [0xB0, 64, 127], [0xB0, 121, 0], [0xC0, 5],
    [0xD0, 7], [0xE0, 0, 64], [0x80, 60, 5], [0xB0, 123, 0], [0xB0, 126, 1],
  ]

  func on(_ channel: UInt8, _ messages: [[UInt8]]) -> [[UInt8]] {
    messages.map { [$0[0] & 0xF0 | channel] + $0.dropFirst() }
  }

  func midi(_ messages: [[UInt8]]) -> [[UInt8]] {
    rig.process(messages.map { .midi($0, at: 0) }).compactMap {
      if case .midi(let bytes, _) = $0 { bytes } else { nil }
    }
  }

  @Test func changesNothingByDefault() {
    for channel in UInt8(0)..<16 {
      #expect(midi(on(channel, Self.kinds)) == on(channel, Self.kinds))
    }
    let others: [[UInt8]] = [[0xF8], [0xF2, 1, 2], [0xFF]]
    #expect(midi(others) == others)
  }

  @Test func mapsEachChannelToItsOwn() {
    for channel in 1...16 { rig.setNow("channel.map.\(channel)", Float(17 - channel)) }
    for channel in UInt8(0)..<16 {
      #expect(midi(on(channel, Self.kinds)) == on(15 - channel, Self.kinds))
    }
    rig.setNow("channel.channels.3", 0)
    #expect(midi(on(2, Self.kinds)) == on(2, Self.kinds))
  }

  @Test func mergesAllIntoOne() {
    rig.setNow("channel.mode", 1)
    rig.setNow("channel.merge", 10)
    for channel in UInt8(0)..<16 { #expect(midi(on(channel, Self.kinds)) == on(9, Self.kinds)) }
  }

  @Test func zonesSplitTheKeyboardAndTheRestReachesAll() {
    zone(1, 3, 0...59)
    zone(2, 5, 60...100)
    for key in UInt8(0)...127 {
      let channel: UInt8? = key < 60 ? 2 : key <= 100 ? 4 : nil
      let note: [[UInt8]] = [[0x97, key, 33], [0xA7, key, 9], [0x87, key, 4]]
      #expect(midi(note) == (channel.map { on($0, note) } ?? []))
    }
    #expect(
      rig.midi([0xB0, 7, 9], [0xC0, 5]) == [[0xB2, 7, 9], [0xB4, 7, 9], [0xC2, 5], [0xC4, 5]])
  }

  @Test func zonesThatOverlapAreLayersOneNoteAnOutput() {
    zone(1, 1, 0...127)
    zone(2, 2, 50...70)
    zone(3, 1, 60...60)
    zone(4, 16, 60...127)
    #expect(
      rig.midi([0x90, 60, 9], [0xA0, 60, 7], [0x90, 60, 0]) == [
        [0x90, 60, 9], [0x91, 60, 9], [0x9F, 60, 9], [0xA0, 60, 7], [0xA1, 60, 7], [0xAF, 60, 7],
        [0x80, 60, 64], [0x81, 60, 64], [0x8F, 60, 64],
      ])
  }

  /// Assumes an amplitude of the velocity's square, and a power of the amplitude's square.
  @Test func zonesThatFadeOverTheSameKeysAreTogetherAsLoudAsOneAlone() {
    zone(1, 1, 0...71, (0, 12))
    zone(2, 2, 60...127, (12, 0))
    #expect(rig.midi([0x90, 59, 104]) == [[0x90, 59, 104]])
    #expect(rig.midi([0x90, 72, 104]) == [[0x91, 72, 104]])
    for velocity in UInt8(64)...127 {
      for key in UInt8(60)...71 {
        let notes = rig.midi([0x90, key, velocity])
        #expect(notes.map { $0[0] } == [0x90, 0x91])
        let power = notes.reduce(0) { $0 + pow(Double($1[2]) / Double(velocity), 4) }
        #expect(abs(10 * log10(power)) < 0.2, "key \(key), velocity \(velocity)")
        // The falling zone is the softer one from the middle on.
        #expect((notes[0][2] < notes[1][2]) == (key >= 66))
      }
    }
    #expect(rig.midi([0x90, 60, 1]) == [[0x90, 60, 1], [0x91, 60, 1]])
  }

  @Test func notesAndPedalsEndWhereTheyBegan() {
    zone(1, 1, 0...127)
    zone(2, 2, 0...127)
    #expect(rig.midi([0x94, 60, 9], [0xB4, 64, 127]).count == 4)
    rig.setNow("channel.mode", 1)
    rig.setNow("channel.merge", 7)
    #expect(rig.midi([0xA4, 60, 3]) == [[0xA0, 60, 3], [0xA1, 60, 3]])
    #expect(rig.midi([0x94, 62, 9]) == [[0x96, 62, 9]])
    #expect(
      rig.midi([0x84, 60, 3], [0x84, 60, 3], [0x84, 62, 1])
        == [[0x80, 60, 3], [0x81, 60, 3], [0x86, 62, 1]])
    #expect(rig.midi([0xB4, 64, 0]) == [[0xB0, 64, 0], [0xB1, 64, 0], [0xB6, 64, 0]])
    #expect(rig.midi([0xB4, 64, 0]) == [[0xB6, 64, 0]])
    #expect(rig.midi([0xB4, 66, 100], [0xB5, 121, 0]).count == 2)
    rig.setNow("channel.merge", 8)
    #expect(rig.midi([0xB4, 121, 0]) == [[0xB6, 121, 0], [0xB7, 121, 0]])
  }

  @Test(arguments: [120, 123, 124, 125, 126, 127] as [UInt8])
  func messagesThatEndAChannelReachItsNotesOnAllChannels(number: UInt8) {
    rig.setNow("channel.map.1", 9)
    rig.setNow("channel.map.2", 9)
    #expect(rig.midi([0x90, 60, 9], [0x91, 61, 9]).count == 2)
    rig.setNow("channel.map.1", 4)
    let end = number <= 123 ? number : 123
    let output = rig.midi([0xB0, number, 0])
    #expect(
      output.first == [0xB3, number, 0] && output.last == [0xB8, end, 0] && output.count == 2)
    #expect(rig.midi([0x80, 60, 1], [0x81, 61, 1]) == [])
    #expect(rig.midi([0xB0, number, 0]) == [[0xB3, number, 0]])
    #expect(rig.midi([0x90, 60, 9], [0xFF], [0x80, 60, 9]) == [[0x93, 60, 9], [0xFF]])
  }

  /// Messages that end all notes also free the room of held ones.
  @Test func notesThatEndedWithAllOthersAreForgotten() {
    for _ in 0..<4200 { #expect(rig.midi([0x90, 60, 1], [0xB0, 123, 0]).count == 2) }
    // Of two notes of a key the older one has ended.
    for _ in 0..<4200 {
      rig.setNow("channel.map.5", 2)
      #expect(rig.midi([0x94, 60, 1]) == [[0x91, 60, 1]])
      rig.setNow("channel.map.5", 1)
      #expect(rig.midi([0x94, 60, 1], [0xB1, 123, 0]) == [[0x90, 60, 1], [0xB1, 123, 0]])
      #expect(rig.midi([0x84, 60, 0], [0xA4, 60, 3]) == [[0x80, 60, 0], [0xA0, 60, 3]])
    }
    rig.setNow("channel.map.5", 5)
    // One of its outputs has ended; the other still sounds.
    zone(1, 1, 0...127)
    zone(2, 2, 0...127)
    for _ in 0..<3 { _ = rig.midi([0x94, 60, 1], [0x94, 60, 2]) }
    rig.setNow("channel.mode", 0)
    #expect(rig.midi([0xB1, 123, 0], [0xA4, 60, 3]) == [[0xB1, 123, 0], [0xA0, 60, 3]])
    #expect(rig.midi([0x84, 60, 0]) == [[0x80, 60, 0]])
    #expect(rig.midi([0xB0, 123, 0], [0xA4, 60, 3]) == [[0xB0, 123, 0], [0xA4, 60, 3]])
    #expect(rig.midi([0x84, 60, 0]) == [])
  }

  @Test func withoutZonesNothingIsSentButEnds() {
    #expect(rig.midi([0x90, 60, 9], [0xB0, 64, 99]).count == 2)
    rig.setNow("channel.mode", 2)
    #expect(rig.midi([0x90, 61, 9], [0xE0, 1, 1], [0x80, 61, 9]) == [])
    #expect(rig.midi([0xB0, 64, 0], [0x80, 60, 9]) == [[0xB0, 64, 0], [0x80, 60, 9]])
    #expect(rig.midi([0x90, 60, 0], [0xB0, 123, 0]) == [])
  }

  @Test func aLayerThatFoundNoRoomForAnEndIsSilencedInTheNextCall() {
    let rig = ChainRig([.channel], capacity: 12)
    rig.setNow("channel.mode", 2)
    rig.setNow("channel.zones.1.channel", 1)
    rig.setNow("channel.zones.2.channel", 2)
    #expect(rig.midi([0x90, 60, 9]).count == 2)
    let full = rig.process(
      [.midi([0x80, 60, 1], at: 0)] + (1...11).map { .midi([0x90, UInt8($0), 9], at: 0) })
    #expect(full.first == .midi([0x80, 60, 1], at: 0))
    #expect(full.dropFirst() == (1...11).map { .midi([0x90, UInt8($0), 9], at: 0) }[...])
    #expect(rig.input.header.pointee.droppedCount > 0)
    let ends: [TestEvent] =
      (64...69).map { .midi([0xB1, $0, 0], at: 5) } + [.midi([0xB1, 123, 0], at: 5)]
    #expect(
      rig.process([.midi([0x80, 1, 1], at: 5)], slices: [30]) == ends + [
        .midi([0x80, 1, 1], at: 5)
      ])
    #expect(rig.midi([0x90, 60, 9], [0x80, 60, 9]).count == 4)
  }

  @Test(arguments: seeds(60))
  func fullListsLeaveNothingSounding(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let rig = ChainRig([.channel, .transpose, .channel], capacity: 40)
    for stage in ["channel", "channel2"] {
      rig.setNow(stage + ".mode", 2)
      for zone in 1...3 { rig.setNow("\(stage).zones.\(zone).channel", Float(zone)) }
    }
    var stream = NoteStream(rig: rig)
    var balance = Balance()
    for cycle in 0..<40 {
      let events = stream.cycle(from: FrameTime(cycle) * 64, &random)
      for event in rig.process(Array(events.prefix(40)), slices: [FrameTime(cycle + 1) * 64]) {
        balance.take(event)
      }
    }
    var end = FrameTime(40 * 64)
    for release in stream.releaseAll(at: 0) {
      guard case .midi(let bytes, _) = release else { continue }
      for event in rig.process([.midi(bytes, at: end)], slices: [end + 64]) { balance.take(event) }
      end += 64
    }
    #expect(balance.sounding == [:])
  }

  @Test func aChannelThatHasMissedAnEndIsSentNothingMoreInThatCall() {
    let rig = ChainRig([.channel, .transpose], capacity: 8)
    rig.setNow("channel.mode", 2)
    rig.setNow("channel.zones.1.channel", 1)
    rig.setNow("channel.zones.2.channel", 2)
    #expect(rig.midi([0x90, 60, 1]) == [[0x90, 60, 1], [0x91, 60, 1]])
    // No more messages go to other channels, except the ends of earlier notes.
    rig.setNow("channel.mode", 0)
    let bend: [UInt8] = [0xE1, 0, 9]
    #expect(
      rig.midi([0x80, 60, 0], bend, bend, bend, bend, bend, bend, bend) == [[0x80, 60, 0]])
    #expect(rig.midi(bend).suffix(2) == [[0xB1, 123, 0], bend])
  }

  @Test func deferredEndsOfTwoStagesAreSentByBoth() {
    let rig = ChainRig([.channel, .channel], capacity: 16)
    for stage in ["channel", "channel2"] {
      rig.setNow("\(stage).mode", 2)
      rig.setNow("\(stage).zones.1.channel", 1)
      rig.setNow("\(stage).zones.2.channel", 2)
    }
    #expect(rig.midi([0x90, 60, 1]).count == 4)
    for stage in ["channel", "channel2"] { rig.setNow("\(stage).mode", 0) }
    let full = [TestEvent](repeating: .midi([0xF8], at: 0), count: 15)
    #expect(
      rig.process([.midi([0x80, 60, 0], at: 0)] + full).first == .midi([0x80, 60, 0], at: 0))
    let ends = rig.midi([0xF8])
    #expect(ends.count == 16 && ends.last == [0xF8])
    #expect(ends.filter { $0 == [0xB1, 123, 0] }.count == 2)
    // The first stage's message also ends the second stage's outputs of the note.
    #expect(ends.filter { $0 == [0xB0, 123, 0] }.count == 1)
  }
}
