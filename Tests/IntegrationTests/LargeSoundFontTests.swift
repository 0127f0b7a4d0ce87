// SoundFonts that load slowly while a note sounds.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct LargeSoundFontTests {
  enum Kind: CaseIterable {
    /// 128 MiB to read.
    case large
    /// A minute of Ogg Vorbis to decode.
    case compressed

    /// A SoundFont that plays 240 Hz at the root key.
    func write(to directory: TemporaryDirectory) throws -> URL {
      switch self {
      case .large:
        let zone = SoundFontMaker.Zone(sample: .sine(periodFrames: 200))
        return try SoundFontMaker(presets: [.init(name: "Large", zones: [zone])])
          .write(to: directory.file("large.sf2"), silentBytes: 128 << 20)
      case .compressed:
        let frames = 60 * 48_000
        let sample = SoundFontMaker.Sample(
          name: "Long", frames: Signal.sine(frames: frames, frequencyHertz: 240, amplitude: 0.5),
          loop: 48_000..<(frames - 48_000))
        return try SoundFontMaker(presets: [.init(name: "Long", zones: [.init(sample: sample)])])
          .writeCompressed(to: directory.file("long.sf3"))
      }
    }
  }

  @Test(arguments: Kind.allCases) func isLoadedWithoutADropout(_ kind: Kind) async throws {
    let directory = try TemporaryDirectory()
    let zone = SoundFontMaker.Zone(sample: .sine(periodFrames: 100))
    let small = try SoundFontMaker(presets: [.init(name: "small", zones: [zone])])
      .write(to: directory.file("small.sf2"))
    let large = try kind.write(to: directory)
    let configuration = """
      [client]
      name = "auricle"
      [[unit]]
      id = "keys"
      component = "sampler"
      entry-channel = 1
      entry-preload = false
      [[unit.entry]]
      number = 0
      name = "Small"
      soundfont = "\(small.path)"
      [[unit.entry]]
      number = 1
      name = "Large"
      soundfont = "\(large.path)"
      """
    // Synchronous: a late client delays the cycle, and no frame is skipped on a busy machine. A
    // cycle that takes longer than a period is an xrun all the same.
    let server = try await JackServer.start(period: 2048, isSynchronous: true)
    let auricle = try await RunningAuricle(configuration, on: server)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 1)
    try await player.connect("player:midi_out_1", to: "auricle:keys_midi_in")
    try await recorder.connect("auricle:keys_out_1", to: "recorder:audio_in_1")
    player.script.midi = [
      TimedMIDI(frame: 0, bytes: [0x91, 60, 127]), TimedMIDI(frame: 20_000, bytes: [0xC0, 1]),
    ]
    let frames = 96_000
    let takes = try await JackTestClient.run([player, recorder], frames: frames)
    #expect(takes.allSatisfy { $0.isComplete })
    let line = try await auricle.child.waitForLine(containing: "'Large'", in: .standardError)
    #expect(line.contains("frames after it was selected"))
    // The note sounds on while the file is read, and afterwards.
    let held = takes[1].audio[0]
    let steps = zip(held.dropFirst(), held).map { abs($0 - $1) }
    #expect(steps[19_000..<20_000].max()! > 0.001)
    #expect(steps[5000...].max()! <= steps[5000..<19_000].max()! * 1.001)
    player.script.midi = [
      TimedMIDI(frame: 0, bytes: [0x81, 60, 0]), TimedMIDI(frame: 9600, bytes: [0x91, 60, 127]),
    ]
    let new = try await JackTestClient.run([player, recorder], frames: 20_000)[1].audio[0]
    let crossings = (12_001..<20_000).count { new[$0 - 1] < 0 && new[$0] >= 0 }
    // 240 Hz for a sixth of a second.
    #expect((39...41).contains(crossings))
    try await auricle.expectEnd()
    // Xruns counted by the client itself.
    if server.isRealtime {
      #expect(!auricle.child.standardError.contains("xruns"), "\(auricle.child.standardError)")
    }
  }
}
