// Flawed MIDI files: readable messages are played, others reported with their position.
import MediaFiles
import Testing

struct MIDIFileFlawTests {
  func read(_ bytes: [UInt8]) throws -> (messages: [(Double, [UInt8])], remarks: [String]) {
    let file = try MIDIFile(bytes: bytes, file: "test.mid")
    return (
      file.events.map { ($0.seconds, Array(file.bytes(of: $0))) }, file.remarks.map(\.description)
    )
  }

  @Test func messagesWithDataBytesAbove127AreLeftOutAndBendsPlay() throws {
    let track =
      event(0, [0x90, 60, 100]) + event(0, [62, 200]) + event(0, [0xB1, 7, 0x80])
      + event(0, [0xE2, 0x81, 0xC0]) + event(0, [0xC3, 0xFF]) + event(96, [0x80, 60, 0])
    let (messages, remarks) = try read(midiFile([endOfTrack, track + endOfTrack]))
    #expect(messages.map(\.1) == [[0x90, 60, 100], [0xE2, 1, 64], [0x80, 60, 0]])
    #expect(messages.map(\.0) == [0, 0, 0.5])
    #expect(
      remarks == [
        "4 messages with data bytes above 127, the first at byte 40 of the file, in track 2:"
          + " bends play without their eighth bits, others are left out"
      ])
  }

  @Test func systemExclusiveWithOtherBytesIsLeftOut() throws {
    let track =
      event(0, [0xF0, 4, 1, 0x90, 2, 0xF7]) + event(0, [0xF0, 3, 5, 6, 0xF7])
      + event(0, [0xF0, 3, 0xF7, 1, 0xF7]) + event(0, [0x90, 60, 1])
    let (messages, remarks) = try read(midiFile([track + endOfTrack]))
    #expect(messages.map(\.1) == [[0xF0, 5, 6, 0xF7], [0x90, 60, 1]])
    #expect(
      remarks == [
        "2 System Exclusive messages with bytes above 127, left out, the first at byte 26 of the file,"
          + " in track 1"
      ])
  }

  /// A SysEx message without an end is sent at the time of its last part.
  @Test(arguments: [event(96, [0x90, 60, 1]), event(96, [0xF0, 2, 9, 0xF7]), []])
  func systemExclusiveWithoutItsEndGetsOne(_ next: [UInt8]) throws {
    let track = event(96, [0xF0, 2, 5, 6]) + meta(0, 1, [65]) + next
    let (messages, remarks) = try read(midiFile([track + endOfTrack]))
    #expect(messages.first?.1 == [0xF0, 5, 6, 0xF7])
    #expect(messages.first?.0 == 0.5)
    #expect(messages.count == (next.isEmpty ? 1 : 2))
    #expect(
      remarks == [
        "1 System Exclusive message without end (F7), which is added, at byte 23 of the file, in track 1"
      ])
  }

  @Test func theMIDIFileInAnRMIDFileIsPlayed() throws {
    let song = midiFile([event(0, [0x90, 60, 100]) + event(96, [60, 0]) + endOfTrack])
    let plain = try read(song)
    let bare = try read(riff([("DISP", [1, 2, 3]), ("data", song)]))
    #expect(bare.messages.map(\.1) == plain.messages.map(\.1))
    #expect(bare.remarks.isEmpty)
    let sounds = try read(riff([("data", song), ("RIFF", Array("DLS ".utf8))]))
    #expect(sounds.messages.map(\.0) == [0, 0.5])
    #expect(
      sounds.remarks == [
        "the sounds that it brings along are not used, at byte \(20 + song.count + song.count % 2)"
      ])
    // Some writers get the outer lengths wrong.
    let wrong = riff([("data", song)]).replacing(at: 4, with: [0, 0, 0, 0])
      .replacing(at: 16, with: [255, 255, 255, 255])
    #expect(try read(wrong).messages.count == 2)
  }

  @Test func offsetsInAnRMIDFileAreThoseOfTheWholeFile() throws {
    let song = midiFile([event(0, [0x90, 60, 200]) + endOfTrack])
    #expect(try read(riff([("data", song)])).remarks[0].contains("at byte \(20 + 25) of"))
  }

  @Test func sequencesOfFormat2FollowEachOtherEachWithItsOwnTempo() throws {
    let first =
      tempo(0, 1_000_000) + meta(0, 0x58, [3, 2, 24, 8]) + event(0, [0x90, 60, 1])
      + event(96, [60, 0]) + event(96, [0xFF, 0x2F, 0])
    let second = event(0, [0x90, 62, 1]) + event(96, [62, 0]) + endOfTrack
    let third = tempo(0, 250_000) + event(96, [0x90, 64, 1]) + endOfTrack
    let bytes = midiFile(format: 2, [first, second, third])
    let (messages, remarks) = try read(bytes)
    #expect(messages.map(\.0) == [0, 1, 2, 2.5, 2.75])
    #expect(messages.map { $0.1[1] } == [60, 60, 62, 62, 64])
    #expect(remarks == ["its format is 2: its 3 sequences play one after another"])
    let file = try MIDIFile(bytes: bytes, file: "test.mid")
    #expect(file.durationSeconds == 2.75)
    #expect(file.tempoMap.position(atSeconds: 1.9).timeSignatureNumerator == 3)
    let position = file.tempoMap.position(atSeconds: 2.1)
    #expect(position.timeSignatureNumerator == 4 && position.quarterNotesPerMinute == 120)
    #expect(position.measureDownbeat == 2)
  }

  @Test func theLongestPauseIsKnownWithItsPlace() throws {
    let tracks = [
      event(96, [0x90, 60, 1]) + endOfTrack,
      event(10, [0x90, 60, 1]) + event(960, [60, 0]) + endOfTrack,
    ]
    let file = try MIDIFile(bytes: midiFile(tracks), file: "test.mid")
    let pause = file.longestPause
    #expect(pause.seconds == 5 && pause.track == 1 && pause.offset == 42)
  }

  @Test func onlyNoteOnsAreNotes() throws {
    let others = event(0, [0xB0, 7, 100]) + event(0, [0x90, 60, 0]) + event(0, [0x80, 60, 64])
    #expect(try !MIDIFile(bytes: midiFile([others + endOfTrack]), file: "a").hasNotes)
    #expect(
      try MIDIFile(bytes: midiFile([others + event(0, [0x9F, 0, 1])]), file: "a").hasNotes)
  }
}
