// Malformed MIDI files are refused with a reason, and none ends the program.
import Foundation
import MediaFiles
import Testing

struct MIDIFileFaultTests {
  static let note = event(0, [0x90, 60, 1])

  static let faults: [(String, [UInt8])] = [
    ("does not begin with an MThd", []),
    ("does not begin with an MThd", Array("RIFF0000WAVEdata".utf8)),
    ("holds no 'data', at byte 12", Array("RIFF0000RMIDdata".utf8)),
    ("does not begin with an MThd chunk, at byte 20", riff([("data", Array("MThd".utf8))])),
    ("the file is cut off", riff([("data", midiFile([note + endOfTrack]).dropLast())])),
    ("header has 5 bytes", midiFile([endOfTrack]).replacing(at: 4, with: big(5, 4))),
    ("header has 4294967295", midiFile([endOfTrack]).replacing(at: 4, with: big(-1, 4))),
    ("format is 3", midiFile(format: 3, [endOfTrack])),
    ("no ticks", midiFile(division: 0, [endOfTrack])),
    ("SMPTE frame has no ticks", midiFile(division: 0xE700, [endOfTrack])),
    ("no SMPTE frame rate", midiFile(division: 0xE001, [endOfTrack])),
    ("0 of 0 tracks", midiFile([])),
    ("1 of 2 tracks", midiFile(declaredTracks: 2, [endOfTrack])),
    ("the file is cut off", midiFile([note + endOfTrack]).dropLast()),
    ("where a status is due", midiFile([event(0, [60, 1])])),
    ("ends within a message", midiFile([event(0, [0x90, 60])])),
    ("ends within an event", midiFile([note + [0]])),
    ("ends within the time", midiFile([note + [0x80]])),
    ("longer than four bytes", midiFile([[0x80, 0x80, 0x80, 0x80, 0] + note])),
    ("F4 begins no event", midiFile([event(0, [0xF4])])),
    ("ends within a meta event", midiFile([event(0, [0xFF, 1, 10, 65])])),
    ("ends within a meta event", midiFile([event(0, [0xFF])])),
    ("no sound tempo", midiFile([tempo(0, 0)])),
    ("no sound tempo", midiFile([meta(0, 0x51, [1, 2])])),
    ("no sound time signature", midiFile([meta(0, 0x58, [4])])),
    ("no sound time signature", midiFile([meta(0, 0x58, [4, 255, 24, 8])])),
    ("no sound time signature", midiFile([meta(0, 0x58, [0, 2, 24, 8])])),
    ("no complete MIDI message", midiFile([event(0, [0xF7, 2, 0x90, 1])])),
    ("no complete MIDI message", midiFile([event(0, [0xF7, 1, 1])])),
    ("no complete MIDI message", midiFile([event(0, [0xF7, 2, 0xF0, 1])])),
    (
      "lasts longer than 1000000 seconds, most of them before one event, at byte 22",
      midiFile(division: 1, [(0..<20).flatMap { _ in event(0xFFF_FFFF, [0x90, 60, 1]) }])
    ),
  ]

  @Test(arguments: faults)
  func aFaultIsReported(_ fragment: String, _ bytes: [UInt8]) throws {
    let error = try #require(throws: MIDIFileError.self) {
      try MIDIFile(bytes: bytes, file: "song.mid")
    }
    #expect(error.description.contains(fragment), "\(error)")
    #expect(error.description.contains("song.mid"))
  }

  @Test func aFileThatIsNotThereIsNamed() throws {
    let url = URL(fileURLWithPath: "/nonexistent/song.mid")
    let error = try #require(throws: MIDIFileError.self) { try MIDIFile(contentsOf: url) }
    #expect(
      error.description == "cannot read /nonexistent/song.mid: there is no such file or folder")
  }

  @Test func anEndlessFileIsRefused() throws {
    let url = URL(fileURLWithPath: "/dev/zero")
    let error = try #require(throws: MIDIFileError.self) { try MIDIFile(contentsOf: url) }
    #expect(error == .tooLong(file: "/dev/zero", maximumBytes: MIDIFile.maximumBytes))
  }

  static let seeds: [[UInt8]] = [
    midiFile(
      division: 480,
      [
        meta(0, 3, Array("Title".utf8)) + tempo(0, 400_000) + meta(0, 0x58, [7, 3, 24, 8])
          + tempo(1000, 900_000) + endOfTrack,
        event(0, [0xB0, 7, 100]) + event(0, [0xC0, 5]) + event(0, [0x90, 60, 100])
          + event(480, [60, 0]) + event(0, [0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7])
          + event(0, [0xE0, 0, 64]) + event(10, [0xF0, 2, 1, 2]) + event(10, [0xF7, 2, 3, 0xF7])
          + event(0, [0xF7, 3, 0xF2, 1, 2]) + endOfTrack,
      ]),
    midiFile(format: 0, division: 0xE728, [note + event(1000, [60, 0]) + endOfTrack]),
    midiFile(format: 2, [note + event(96, [60, 0]) + endOfTrack, note + endOfTrack]),
    riff([
      ("INFO", [1]), ("data", midiFile([note + event(0, [0xF0, 2, 1, 2]) + endOfTrack])),
      ("RIFF", [1, 2]),
    ]),
  ]

  @Test(arguments: 0..<8)
  func mutatedFilesAreReadInOrderOrRefused(_ part: UInt64) throws {
    var random = Shuffle(state: part &+ 1)
    var accepted = 0
    let rounds = 1000 * MutationRounds.factor
    for round in 0..<rounds {
      var bytes = Self.seeds[round % Self.seeds.count]
      for _ in 0..<Int.random(in: 1...5, using: &random) { mutate(&bytes, using: &random) }
      do throws(MIDIFileError) {
        try check(try MIDIFile(bytes: bytes, file: "fuzz"))
        accepted += 1
      } catch {}
    }
    // Some files are accepted, and some refused.
    #expect((rounds / 100..<rounds * 99 / 100).contains(accepted))
  }

  @Test(arguments: seeds.indices) func filesCutOffAnywhereAreReadInOrderOrRefused(_ seed: Int) {
    for length in 0..<Self.seeds[seed].count {
      do throws(MIDIFileError) {
        try check(try MIDIFile(bytes: Array(Self.seeds[seed].prefix(length)), file: "cut"))
      } catch { #expect(error.description.contains("cut is no sound MIDI file: ")) }
    }
  }

  func check(_ file: MIDIFile) throws(MIDIFileError) {
    var last = 0.0
    for event in file.events {
      #expect(event.seconds >= last)
      last = event.seconds
      let bytes = file.bytes(of: event)
      #expect(bytes.first! >= 0x80)
      let begins = bytes.first == 0xF0
      let ends = bytes.last == 0xF7
      #expect(begins == ends)
      #expect(bytes.dropFirst().dropLast().allSatisfy { $0 < 0x80 })
    }
    #expect(file.durationSeconds >= last && file.durationSeconds <= MIDIFile.maximumSeconds)
    #expect(file.tempoMap.position(atSeconds: last).quarterNotes.isFinite)
  }

  func mutate(_ bytes: inout [UInt8], using random: inout Shuffle) {
    let at = Int.random(in: 0...bytes.count, using: &random)
    let end = min(bytes.count, at + Int.random(in: 0...8, using: &random))
    switch Int.random(in: 0..<7, using: &random) {
    case 0: bytes.removeSubrange(at..<end)
    case 1: bytes.insert(contentsOf: bytes[at..<end], at: at)
    case 2: if at < bytes.count { bytes[at] = UInt8.random(in: 0...255, using: &random) }
    case 3, 4: if at < bytes.count { bytes[at] ^= 1 << UInt8.random(in: 0...7, using: &random) }
    case 5:
      let edges: [UInt8] = [0, 0x7F, 0x80, 0xF0, 0xF7, 0xFF]
      bytes.insert(edges.randomElement(using: &random)!, at: at)
    default: bytes.removeLast(min(bytes.count, Int.random(in: 0...30, using: &random)))
    }
  }
}

/// The factor for the number of mutations: AURICLE_MUTATIONS, 1 unless set.
enum MutationRounds {
  static let factor = max(
    1, ProcessInfo.processInfo.environment["AURICLE_MUTATIONS"].flatMap(Int.init) ?? 1)
}

/// A SplitMix64 generator, whose sequence a seed repeats.
struct Shuffle: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
