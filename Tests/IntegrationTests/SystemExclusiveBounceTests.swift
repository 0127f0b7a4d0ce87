// SysEx messages and the channels' keys in the command.

import Foundation
import TestSupport
import Testing

@Suite struct SystemExclusiveBounceTests {
  private func rig(_ keys: String = "") throws -> BounceRig {
    let rig = try BounceRig(
      "[[unit]]\nid = \"gm\"\ncomponent = \"sampler\"\nsoundfont = \"a.sf2\"\n\(keys)\n")
    try SoundFontMaker(
      presets: [
        .init(name: "Left", zones: [.init(sample: .constant(), panPercent: -50, tracksKey: false)]),
        .init(
          bank: 128, name: "Kit",
          zones: [.init(sample: .constant(), panPercent: 50, tracksKey: false)]),
      ]
    ).write(to: rig.folder.file("a.sf2"))
    return rig
  }

  @Test func ignoredMessagesAreReportedOnceWithTheFirst() async throws {
    let rig = try rig()
    var file = MIDIFileMaker.frameExact(sampleRate: 48_000)
    let volume: [UInt8] = [0xF0, 0x7F, 0x7F, 4, 1, 0, 0x40, 0xF7]
    let reverb: [UInt8] = [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 1, 0x30, 4, 0x0B, 0xF7]
    for message in [volume, reverb, reverb.dropLast(2) + [0x0C, 0xF7]] {
      file.add(.systemExclusive(message), at: 0)
    }
    file.addNote(60, at: 100, length: 4000)
    _ = try rig.folder.write(file.bytes(), to: "song.mid")
    let (status, child) = try await rig.run("--midi", "song.mid", "--output", "out.wav")
    #expect(status == .exited(0))
    let told = child.standardError.split(separator: "\n").filter { $0.contains("SysEx") }
    #expect(told.count == 1)
    #expect(
      told.first?.hasSuffix(
        "gm: SysEx messages for it that it does not carry out, the first F0 41 10 42 12 40 01 30: 2"
      )
        == true, "\(child.standardError)")
  }

  @Test func drumChannelsAndBankSelectsAreReadFromTheConfiguration() async throws {
    for (keys, isKit) in [
      ("", true), ("drum-channels = []", false), ("drum-channels = [\"9-11\"]", true),
    ] {
      let rig = try rig(keys)
      var file = MIDIFileMaker.frameExact(sampleRate: 48_000)
      file.addNote(60, at: 100, length: 4000, channel: 9)
      _ = try rig.folder.write(file.bytes(), to: "song.mid")
      let (status, _) = try await rig.run("--midi", "song.mid", "--output", "out.wav")
      #expect(status == .exited(0))
      let output = try rig.read("out.wav")
      #expect((peakDecibels(output[1]) > peakDecibels(output[0])) == isKit, "\(keys)")
    }
    let (status, child) = try await rig("bank-select = \"GS\"")
      .run("--midi", "song.mid", "--output", "out.wav")
    #expect(status == .exited(2))
    #expect(
      child.standardError.contains(
        "session.toml:5:15: unknown standard 'GS' in 'bank-select': did you mean 'gs'?"),
      "\(child.standardError)")
    #expect(child.standardError.contains("gs, gm, xg, mma"))
  }
}
