// Requests that need too much memory are refused, and disturb nothing else.

import CTestSupport
import Foundation
import MediaFiles
import TestSupport
import Testing

/// Whether allocations can be made to fail: the sanitizers bring a `malloc` of their own.
private var allocationsCanFail: Bool {
  addressSanitizerIsLinked() == 0 && threadSanitizerIsLinked() == 0
    && ProcessInfo.processInfo.environment["AURICLE_PRODUCTS"] == nil
}

@Suite(.serialized, .enabled(if: allocationsCanFail)) struct MemoryFailureTests {
  private let rig: ControlRig
  private let (small, large): (URL, URL)

  init() throws {
    rig = try ControlRig()
    (small, large) = (rig.directory.file("small.sf2"), rig.directory.file("large.sf2"))
    let preset = SoundFontMaker.Preset(name: "Sine", zones: [.init(sample: .sine())])
    try SoundFontMaker(presets: [preset]).write(to: small)
    let noise = SoundFontMaker.Sample.noise(seed: 1, frames: 2_000_000)
    try SoundFontMaker(presets: [.init(name: "Noise", zones: [.init(sample: noise)])])
      .write(to: large)
  }

  private func sampler(_ font: URL) -> String {
    """
    [client]
    name = "auricle"
    [[unit]]
    id = "piano"
    component = "sampler"
    soundfont = "\(font.path)"
    """
  }

  /// An environment that refuses all allocations of 3 MB and more.
  private func environment() throws -> [String: String?] {
    [
      "LD_PRELOAD": try builtProduct("libFailingAllocations.so").path,
      "AURICLE_FAILING_ALLOCATIONS": "3000000",
    ]
  }

  @Test func aSoundFontThatDoesNotFitIsNoDamagedOne() async throws {
    let file = try rig.directory.write(sampler(large), to: "session.toml")
    let (status, child) = try await auricle(
      ["run", file.path, "--server", absentServer], environment: try environment())
    #expect(status == .exited(2))
    #expect(
      child.standardError.contains(
        "session.toml:6:13: \(large.path): not enough memory to load it"), "\(child.transcript)")
  }

  @Test func aSessionGoesOnWithTheSoundFontThatItHas() async throws {
    let server = try await JackServer.start()
    let session = try await RunningAuricle(
      sampler(small), on: server,
      environment: rig.environment.merging(try environment()) { $1 })
    let refusal = try await rig.refusal("soundfont", "piano", large.path)
    #expect(refusal.contains("\(large.path): not enough memory to load it"), "\(refusal)")
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 1)
    try await player.connect("player:midi_out_1", to: "auricle:piano_midi_in")
    try await recorder.connect("auricle:piano_out_1", to: "recorder:audio_in_1")
    player.script.midi = [TimedMIDI(frame: 100, bytes: [0x90, 60, 127])]
    let take = try await JackTestClient.run([player, recorder], frames: 9_600)[1]
    #expect(take.audio[0].contains { abs($0) > 0.05 })
    try await session.expectEnd()
  }

  @Test func audioThatDoesNotFitIsNotPlayed() async throws {
    let sound = rig.directory.file("take.wav")
    let writer = try AudioFileWriter(url: sound, sampleRate: 48_000, channelCount: 2)
    try writer.write((1...2).map { Signal.noise(frames: 500_000, seed: $0, amplitude: 0.5) })
    try writer.finish()
    let (status, child) = try await auricle(
      ["play", sound.path, "--unit", "filter", "--server", absentServer],
      environment: try environment())
    #expect(status == .exited(1))
    #expect(
      child.standardError.contains("take.wav: not enough memory for its samples: 3 MB"),
      "\(child.transcript)")
  }

  /// A stream's blocks of 32 channels take 36 MB; a recorder's ten seconds of two take 4 MB.
  @Test func streamsAndRecordersWithoutMemoryAreRefusedAndTheSessionContinues() async throws {
    let sound = rig.directory.file("wide.wav")
    let writer = try AudioFileWriter(url: sound, sampleRate: 48_000, channelCount: 32)
    try writer.write(Array(repeating: Signal.silence(frames: 4800), count: 32))
    try writer.finish()
    let server = try await JackServer.start()
    let session = try await RunningAuricle(
      sampler(small), on: server,
      environment: rig.environment.merging(try environment()) { $1 })
    let player = try await rig.refusal("add", "p", "player", "file=\(sound.path)", "stream=true")
    #expect(player.contains("wide.wav: not enough memory for its samples: 36 MB"), "\(player)")
    let take = rig.directory.file("take.wav").path
    let recorder = try await rig.refusal("add", "r", "recorder", "file=\(take)")
    #expect(
      recorder.contains("not enough memory for what waits for the disk: 4 MB"), "\(recorder)")
    try await session.expectEnd()
  }

  /// 1.2 MB, which become 7.7 MB at the session's rate.
  @Test func audioThatDoesNotFitAtTheSessionsRateIsRefusedAndTheSessionGoesOn() async throws {
    let sound = rig.directory.file("slow.wav")
    let writer = try AudioFileWriter(url: sound, sampleRate: 7500, channelCount: 1)
    try writer.write([Signal.noise(frames: 300_000, seed: 1, amplitude: 0.5)])
    try writer.finish()
    let server = try await JackServer.start()
    let session = try await RunningAuricle(
      sampler(small), on: server,
      environment: rig.environment.merging(try environment()) { $1 })
    let refusal = try await rig.refusal("add", "p", "player", "file=\(sound.path)")
    #expect(
      refusal.contains("slow.wav: not enough memory for its samples: 7 MB"), "\(refusal)")
    try await session.expectEnd()
  }
}
