// The generated MIDI files, byte by byte.
import TestSupport
import Testing

@Suite struct MIDIFileMakerTests {
  @Test func writesTheBytesOfTheStandard() {
    var file = MIDIFileMaker(format: 0, ticksPerQuarter: 96)
    file.add(.tempo(500_000), at: 0)
    file.addNote(60, at: 0, length: 200, velocity: 64)
    file.add(.systemExclusive([0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7]), at: 200)
    let head: [UInt8] = [
      0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, 0, 96, 0x4D, 0x54, 0x72, 0x6B, 0, 0, 0, 28,
    ]
    let track: [UInt8] = [
      0, 0xFF, 0x51, 3, 0x07, 0xA1, 0x20, 0, 0x90, 60, 64, 0x81, 0x48, 0x80, 60, 64,
      0, 0xF0, 5, 0x7E, 0x7F, 0x09, 0x01, 0xF7, 0, 0xFF, 0x2F, 0,
    ]
    #expect(file.bytes() == head + track)
  }

  @Test func runningStatusLeavesOutRepeatedBytes() {
    var file = MIDIFileMaker(format: 0)
    file.usesRunningStatus = true
    file.add([0x90, 60, 64], at: 0)
    file.add([0x90, 60, 0], at: 10)
    #expect(file.bytes().suffix(11) == [0, 0x90, 60, 64, 10, 60, 0, 0, 0xFF, 0x2F, 0])
  }

  @Test(arguments: [8_000, 44_100, 48_000, 88_200, 96_000, 192_000])
  func aTickIsAFrame(sampleRate: Int) {
    let bytes = MIDIFileMaker.frameExact(sampleRate: sampleRate).bytes()
    let ticks = Int(bytes[12]) << 8 | Int(bytes[13])
    let tempo = bytes[26...28].reduce(0) { $0 << 8 | Int($1) }
    #expect(ticks * 1_000_000 == tempo * sampleRate && ticks > 1_000)
  }

  @Test func aTrackCanBeLengthened() {
    var file = MIDIFileMaker()
    file.add([0x90, 60, 64], at: 100)
    #expect(file.bytes(endTick: 300).suffix(5) == [0x81, 0x48, 0xFF, 0x2F, 0])
  }
}
