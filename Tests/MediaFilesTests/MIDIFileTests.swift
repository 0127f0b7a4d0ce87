// Every message of a valid MIDI file is read, complete and at its time.
import Foundation
import MediaFiles
import Testing

struct MIDIFileTests {
  /// Returns the times and bytes of all messages.
  func read(_ bytes: [UInt8]) throws -> [(Double, [UInt8])] {
    let file = try MIDIFile(bytes: bytes, file: "test.mid")
    return file.events.map { ($0.seconds, Array(file.bytes(of: $0))) }
  }

  func expect(
    _ bytes: [UInt8], _ wanted: [(Double, [UInt8])],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try read(bytes)
    #expect(found.map(\.0) == wanted.map(\.0), sourceLocation: sourceLocation)
    #expect(found.map(\.1) == wanted.map(\.1), sourceLocation: sourceLocation)
  }

  @Test func runningStatusIsResolved() throws {
    try expect(
      midiFile([
        event(0, [0x90, 60, 100]) + event(96, [60, 0]) + event(0, [0xC3, 5]) + event(0, [6])
          + event(96, [0xE0, 0, 64]) + endOfTrack
      ]),
      [
        (0, [0x90, 60, 100]), (0.5, [0x90, 60, 0]), (0.5, [0xC3, 5]), (0.5, [0xC3, 6]),
        (1, [0xE0, 0, 64]),
      ])
  }

  @Test func runningStatusOutlastsMetaEvents() throws {
    try expect(
      midiFile([event(0, [0x90, 60, 1]) + meta(0, 1, [65]) + event(96, [60, 0]) + endOfTrack]),
      [(0, [0x90, 60, 1]), (0.5, [0x90, 60, 0])])
  }

  @Test func longMetaTextsAreSkippedWhole() throws {
    let text = [UInt8](repeating: 0x90, count: 300)
    try expect(
      midiFile([meta(0, 1, text) + event(96, [0x80, 60, 0]) + endOfTrack]),
      [(0.5, [0x80, 60, 0])])
  }

  @Test func tracksAreMergedByTimeAndKeepTheirOrder() throws {
    let first = event(0, [0x90, 1, 1]) + event(96, [0x80, 1, 0]) + event(0, [0x90, 2, 1])
    let second = event(96, [0x91, 3, 1]) + event(0, [0x91, 4, 1])
    let file = try MIDIFile(
      bytes: midiFile([first + endOfTrack, second + endOfTrack]), file: "test.mid")
    #expect(file.events.map { file.bytes(of: $0).dropFirst().first } == [1, 1, 2, 3, 4])
    #expect(file.events.map(\.track) == [0, 0, 0, 1, 1])
  }

  @Test func temposOfAnyTrackHoldForAll() throws {
    let notes = event(0, [0x90, 60, 1]) + event(48, [60, 0]) + event(96, [60, 1])
    let tempos = tempo(0, 1_000_000) + tempo(96, 250_000)
    for tracks in [[notes, tempos], [tempos, notes]] {
      try expect(
        midiFile(tracks.map { $0 + endOfTrack }),
        [(0, [0x90, 60, 1]), (0.5, [0x90, 60, 0]), (1.125, [0x90, 60, 1])])
    }
  }

  static let smpteRates: [(Int, Double)] = [
    (0xE804, 96), (0xE728, 1000), (0xE350, 2_400_000.0 / 1001), (0xE250, 2400),
  ]

  @Test(arguments: smpteRates)
  func smpteTicksDoNotDependOnTheTempo(_ division: Int, _ ticksPerSecond: Double) throws {
    let track = tempo(0, 1_000_000) + event(0x4000, [0x90, 60, 1]) + endOfTrack
    let seconds = try read(midiFile(division: division, [track])).first?.0 ?? -1
    #expect(abs(seconds - Double(0x4000) / ticksPerSecond) < 1e-9)
  }

  @Test func splitSystemExclusiveIsJoinedAtTheTimeOfItsEnd() throws {
    let track =
      event(0, [0xF0, 3, 0x7E, 0x7F, 9]) + event(96, [0xF7, 2, 1, 2]) + meta(0, 1, [65])
      + event(96, [0xF7, 2, 3, 0xF7]) + event(0, [0x90, 60, 1]) + endOfTrack
    try expect(
      midiFile([track]), [(1, [0xF0, 0x7E, 0x7F, 9, 1, 2, 3, 0xF7]), (1, [0x90, 60, 1])])
  }

  @Test func longSystemExclusiveArrivesWhole() throws {
    let data = (0..<100_000).map { UInt8($0 & 0x7F) } + [0xF7]
    let track = event(0, [0xF0] + variable(data.count) + data) + endOfTrack
    try expect(midiFile([track]), [(0, [0xF0] + data)])
  }

  @Test func escapedBytesAreMessages() throws {
    let track =
      event(0, [0xF7, 1, 0xFA]) + event(96, [0xF7, 7, 0xF2, 1, 2, 0xF0, 5, 0xF7, 0xF8])
      + endOfTrack
    try expect(
      midiFile([track]),
      [(0, [0xFA]), (0.5, [0xF2, 1, 2]), (0.5, [0xF0, 5, 0xF7]), (0.5, [0xF8])])
  }

  @Test func odditiesOfOtherProgramsAreAccepted() throws {
    let note = event(0, [0x90, 60, 1])
    let sound: [(Double, [UInt8])] = [(0, [0x90, 60, 1])]
    // No end-of-track event; a foreign chunk first; bytes after the end of a track and of the file.
    try expect(midiFile([note]), sound)
    try expect(
      midiFile([]).replacing(at: 10, with: big(1, 2)) + chunk("XFIH", [1, 2])
        + chunk("MTrk", note + endOfTrack), sound)
    try expect(midiFile([note + endOfTrack + [0, 0, 0]]), sound)
    try expect(midiFile([note + endOfTrack]) + [0, 0, 0], sound)
    try expect(midiFile([note + endOfTrack]) + [UInt8](repeating: 0xFF, count: 20), sound)
    // A header longer than the known one, and more tracks than it declares.
    var longer = midiFile(format: 0, [note + endOfTrack])
    longer[7] = 8
    longer.insert(contentsOf: [9, 9], at: 14)
    try expect(longer, sound)
    try expect(midiFile(declaredTracks: 1, [endOfTrack, note + endOfTrack]), sound)
  }

  @Test func durationIsThatOfTheLongestTrack() throws {
    let file = try MIDIFile(
      bytes: midiFile([
        event(0, [0x90, 60, 1]) + event(384, [0xFF, 0x2F, 0]), tempo(192, 1_000_000) + endOfTrack,
      ]), file: "test.mid")
    #expect(file.durationSeconds == 3)
  }

  @Test func theMusicalPositionFollowsTempoAndMeasure() throws {
    let track =
      meta(0, 0x58, [3, 2, 24, 8]) + tempo(0, 600_000) + tempo(288, 300_000)
      + meta(96, 0x58, [6, 3, 24, 8]) + endOfTrack
    let map = try MIDIFile(bytes: midiFile([track]), file: "test.mid").tempoMap
    let early = map.position(atSeconds: 1.5)
    #expect(early.quarterNotes == 2.5)
    #expect(early.quarterNotesPerMinute == 100)
    #expect(early.timeSignatureNumerator == 3)
    #expect(early.timeSignatureDenominator == 4)
    #expect(early.measureDownbeat == 0)
    // The tempo doubles at quarter 3 (1.8 s), 6/8 begins at quarter 4 (2.1 s).
    let late = map.position(atSeconds: 2.1 + 0.3 * 4)
    #expect(abs(late.quarterNotes - 8) < 1e-9)
    #expect(late.quarterNotesPerMinute == 200)
    #expect(late.timeSignatureNumerator == 6)
    #expect(late.timeSignatureDenominator == 8)
    #expect(late.measureDownbeat == 7)
  }

  @Test func aFileWithoutTempoPlaysAt120() throws {
    let map = try MIDIFile(bytes: midiFile([endOfTrack]), file: "test.mid").tempoMap
    let position = map.position(atSeconds: 1)
    #expect(position.quarterNotes == 2)
    #expect(position.quarterNotesPerMinute == 120)
  }
}

extension [UInt8] {
  func replacing(at index: Int, with bytes: [UInt8]) -> [UInt8] {
    var copy = self
    copy.replaceSubrange(index..<index + bytes.count, with: bytes)
    return copy
  }
}
