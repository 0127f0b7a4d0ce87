// A soak for hours: a session releases all units and files that were added and removed.

import AudioEngine
import Configuration
import ControlSocket
import Foundation
import MediaFiles
import Players
import RecorderUnit
import Remotes
import SamplerUnit
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

/// A whole number in the environment.
private func setting(_ name: String) -> Int? {
  ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
}

/// Lasts `AURICLE_SOAK_SECONDS`, half of them for a session and half for engines inside the test
/// process; `AURICLE_SOAK_SEED` repeats one.
@Suite(.serialized, .enabled(if: setting("AURICLE_SOAK_SECONDS") != nil))
struct SoakTests {
  private static let seconds = (setting("AURICLE_SOAK_SECONDS") ?? 0) / 2

  private let seed = UInt64(setting("AURICLE_SOAK_SEED") ?? Int.random(in: 0..<1_000_000))
  private let rig: ControlRig

  init() throws { rig = try ControlRig() }

  private static let configuration = """
    [client]
    name = "soak"
    [[unit]]
    id = "desk"
    component = "mixer"
    [[connect]]
    from = "desk"
    to = "physical:outputs"
    """

  @Test func aSessionStaysAsLargeAsItWas() async throws {
    let material = try await SoakMaterial()
    let server = try await JackServer.start(period: 1024)
    let auricle = try await rig.run(Self.configuration, on: server)
    var random = SeededRandom(seed: seed)
    // The number of rounds in which each file is played both streamed and whole.
    let turn = (2 * material.sounds.count + SoakRound.players - 1) / SoakRound.players
    var record = SoakRecord("session", of: auricle.child.processIdentifier, warmUp: turn)
    try await record.run(seconds: Self.seconds) { number in
      let round = SoakRound(number: number, material: material, session: try rig.connect())
      try await round.play(on: server, &random)
    }
    record.expectNoGrowth()
    #expect(try await rig.ctl("list") == "desk  mixer\n", "seed \(seed)")
    #expect(try await auricle.end() == .exited(0))
  }

  /// Units that were added and removed leave nothing once undo has released them. Only longer runs
  /// include this, which takes ten minutes.
  @Test(.enabled(if: seconds >= 600)) func unitsThatCameAndWentLeaveNoMemory() async throws {
    let font = URL(fileURLWithPath: "/usr/share/sounds/sf2/TimGM6mb.sf2")
    let server = try await JackServer.start(period: 1024)
    let auricle = try await rig.run(Self.configuration, on: server)
    let sounds = try [20, 120].map { seconds in
      let file = rig.directory.file("\(seconds).wav")
      let writer = try AudioFileWriter(url: file, sampleRate: 48_000, channelCount: 2)
      let noise = Signal.noise(frames: seconds * 48_000, seed: 1)
      try writer.write([noise, noise])
      try writer.finish()
      return file
    }
    let client = try rig.connect()
    func ask(_ command: SessionCommand) throws {
      try client.send(SessionWire.encode(command))
      _ = try SessionWire.answer(try client.nextLine(isPatient: true))
    }
    func comeAndGo(_ count: Int) throws {
      for number in 0..<count {
        // A SoundFont, a sound in memory, and one that is streamed.
        let isSampler = number % 3 == 0
        try ask(
          .add(
            unit: "guest\(number)", component: isSampler ? "sampler" : "player",
            settings: [
              isSampler ? "soundfont=\(font.path)" : "file=\(sounds[number % 3 - 1].path)"
            ]))
        try ask(.remove(unit: "guest\(number)"))
      }
    }
    func resident() throws -> Int {
      try #require(ProcessSize(of: auricle.child.processIdentifier)).resident / 1024
    }
    try comeAndGo(6)
    try await Task.sleep(for: .seconds(180))
    let before = try resident()
    try comeAndGo(300)
    let right = try resident()
    try await Task.sleep(for: .seconds(180))
    let after = try resident()
    print("soak, units: \(before) MiB before, \(right) right after, \(after) three minutes later")
    #expect(after - before < 20)
    #expect(try await auricle.end() == .exited(0))
  }

  @Test func aProgramStaysAsLargeAsItWas() async throws {
    let material = try await SoakMaterial()
    let server = try await JackServer.start(period: 1024)
    var record = SoakRecord("engines", of: getpid(), warmUp: material.sounds.count)
    try await record.run(seconds: Self.seconds) { number in
      let sound = material.sounds[number % material.sounds.count]
      let silent = try Engine(.offline(sampleRate: 48_000, maximumFrames: 1024))
      try await Self.play(silent, sound, number, material) { frames in
        for _ in 0..<frames / 1024 { _ = try silent.render(1024) }
      }
      let live = try Engine(name: "soak", .jack(JackSession.Options(server: server.name)))
      try await Self.play(live, sound, number, material) { frames in
        let end = (live.frame ?? 0) + frames
        #expect(await eventually { live.frame ?? 0 >= end })
      }
    }
    record.expectNoGrowth()
  }

  /// Plays a sound, whole and streamed, and a sampler from a MIDI file; records and taps them.
  private static func play(
    _ engine: Engine, _ sound: URL, _ number: Int, _ material: SoakMaterial,
    run: (Int64) async throws -> Void
  ) async throws {
    let folder = try TemporaryDirectory()
    let whole = try ScheduledPlayerUnit()
    try whole.setContent(contentsOf: sound, streams: false)
    let channels = whole.outputBusses[0].format.channelCount
    let stream = try ScheduledPlayerUnit(channels: channels)
    try stream.schedule(contentsOf: sound, from: 1_000, streams: true, options: .loops)
    let song = try MIDIPlayerUnit()
    let sampler = try SamplerUnit()
    try await sampler.load(soundFont: material.fonts[number % 2])
    let recorder = try RecorderUnit()
    let kind = SoakMaterial.recorded[number % SoakMaterial.recorded.count]
    try recorder.setTarget(
      folder.file("take.\(kind.container.rawValue)"), encoding: kind.encoding)
    for unit in [whole, stream, song, sampler, recorder] { try engine.attach(unit) }
    let desk = engine.mainMixerNode
    for unit in [whole, stream, sampler] { try await engine.connect(unit, to: desk) }
    try await engine.connectMIDI(song, to: sampler)
    try await engine.connect(desk, to: recorder)
    try await engine.connect(recorder, to: engine.outputNode)
    let tap = try await engine.installTap(on: desk, bufferSize: 512) { _ in }
    try await engine.start()
    try whole.play()
    try song.play(MIDIFile(contentsOf: material.song))
    try stream.play()
    try recorder.parameterTree.parameter(keyPath: "recording")!.setValue(1)
    try await run(12_288)
    try await engine.removeTap(tap)
    try await engine.detach(stream)
    try await engine.pause()
    try await engine.start()
    try await run(2_048)
    await engine.stop()
  }
}
