// A SoundFont of some size that is loaded while a note sounds.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct LargeSoundFontTests {
  static let silentBytes = 128 << 20

  @Test func isLoadedWithoutADropout() async throws {
    let directory = try TemporaryDirectory()
    func font(_ name: String, _ period: Int, _ silentBytes: Int) throws -> URL {
      let zone = SoundFontMaker.Zone(sample: .sine(periodFrames: period))
      return try SoundFontMaker(presets: [.init(name: name, zones: [zone])])
        .write(to: directory.file("\(name).sf2"), silentBytes: silentBytes)
    }
    let (small, large) = (try font("small", 100, 0), try font("large", 200, Self.silentBytes))
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
    // Synchronous: a late client delays the cycle, and no frame is skipped on a busy machine.
    let server = try await JackServer.start(period: 1024, isSynchronous: true)
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
    // The note rings on while the file is read, and behind it.
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
    let status = try await auricle.end()
    #expect(status == .exited(0))
  }
}
