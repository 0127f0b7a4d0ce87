// `auricle play`: sound without a configuration.

import BuiltInUnits
import Configuration
import Foundation
import JackHost
import Logging
import MediaFiles
import Session
import SessionModel
import TestSupport
import Testing
import Tools
import UnitModel

@Suite(.serialized) struct PlayTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try SoundFontMaker(presets: [
      .init(program: 3, name: "Sine", zones: [.init(sample: .sine(), releaseSeconds: 0.02)]),
      .init(program: 5, name: "Noise", zones: [.init(sample: .noise(seed: 3, isLooped: true))]),
      .init(bank: 8, program: 3, name: "Other", zones: [.init(sample: .sine())]),
    ]).write(to: folder.file("font.sf2"))
  }

  /// Writes a song of notes on odd frames, with its end at `endFrame`.
  private func song(endFrame: Int = 0) throws -> URL {
    var file = MIDIFileMaker.frameExact(sampleRate: 48_000)
    for index in 0..<12 {
      file.addNote(UInt8(50 + 3 * index), at: 777 * index + 13, length: 1_500)
    }
    return try folder.write(file.bytes(endTick: endFrame), to: "song.mid")
  }

  private func take(frames: Int = 12_000, sampleRate: Double = 48_000) throws -> URL {
    let url = folder.file("take.wav")
    let writer = try AudioFileWriter(url: url, sampleRate: sampleRate, channelCount: 2)
    try writer.write((1...2).map { Signal.noise(frames: frames, seed: $0, amplitude: 0.5) })
    try writer.finish()
    return url
  }

  /// Starts `auricle play ARGUMENTS` in the folder.
  private func start(_ arguments: [String], on server: JackServer? = nil) throws -> ChildProcess {
    try ChildProcess(
      builtProduct("auricle"),
      ["play"] + arguments + ["--server", server?.name ?? absentServer],
      environment: ["XDG_DATA_HOME": folder.url.path, "XDG_RUNTIME_DIR": folder.url.path],
      workingDirectory: folder.url)
  }

  private func build(_ options: PlayOptions) async throws -> PlayedSession {
    try await SessionBuilder(registry: try BuiltInComponents.makeRegistry()).build(options)
  }

  // MARK: A SoundFont

  @Test(arguments: [SIGINT, SIGTERM])
  func aSoundFontIsPlayedAtTheMachinesPortsUntilItIsEnded(signal: Int32) async throws {
    let server = try await JackServer.start()
    let watcher = try JackTestClient(server, "watcher")
    let child = try start(["font.sf2"], on: server)
    let line = try await child.waitForLine(containing: "ready:")
    #expect(line == "ready: auricle 48000 Hz, 256 frames")
    for channel in 1...2 {
      #expect(
        watcher.connections(of: "auricle:sampler_out_\(channel)") == ["system:playback_\(channel)"])
    }
    #expect(watcher.ports(matching: "^auricle:sampler_midi_in$").count == 1)
    _ = try await child.waitForLine(containing: "waits for 'physical:midi'", in: .standardError)
    child.signal(signal)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
  }

  @Test func aPlayedSessionCanBeSavedAsAConfiguration() async throws {
    let server = try await JackServer.start()
    let child = try start(["font.sf2", "--preset", "Noise"], on: server)
    _ = try await child.waitForLine(containing: "ready:")
    let save = try ChildProcess(
      builtProduct("auricle"), ["ctl", "save", "mine.toml"],
      environment: ["XDG_RUNTIME_DIR": folder.url.path], workingDirectory: folder.url)
    #expect(try await save.wait() == .exited(0), "\(save.transcript)")
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0))
    let plan = try await SessionBuilder(registry: try BuiltInComponents.makeRegistry())
      .build(contentsOf: folder.file("mine.toml"))
    #expect(plan.document.configuration.units[0].keys["program"]?.content == .integer(5))
    #expect(plan.requests.map(\.pattern.text) == ["physical:midi", "physical:outputs"])
  }

  @Test(
    arguments: [
      (nil, nil, nil, 0, 3), ("Noise", nil, nil, 0, 5), ("noise", nil, nil, 0, 5),
      ("5", nil, nil, 0, 5), (nil, nil, 5, 0, 5), (nil, 8, nil, 8, 3), ("3", 8, nil, 8, 3),
      ("Other", nil, nil, 8, 3),
    ] as [(String?, Int?, Int?, Int, Int)])
  func thePresetIsChosenByNameOrNumber(
    preset: String?, bank: Int?, program: Int?, wantedBank: Int, wantedProgram: Int
  ) async throws {
    let played = try await build(
      PlayOptions(
        file: folder.file("font.sf2").path, preset: preset, bank: bank, program: program))
    let unit = played.plan.document.configuration.units[0]
    #expect(unit.keys["bank"]?.content ?? .integer(0) == .integer(wantedBank))
    #expect(unit.keys["program"]?.content == .integer(wantedProgram))
  }

  @Test(arguments: [
    (["none.sf2"], 2, "none.sf2: no SoundFont 'none.sf2'"),
    (["bad.sf2"], 2, "bad.sf2"), (["song.mid"], 2, "song.mid: a MIDI file"),
    (["take.wav"], 2, "take.wav: an audio file"),
    (["font.sf2", "--preset", "Noize"], 2, "--preset: unknown preset 'Noize' in font.sf2"),
    (["font.sf2", "--program", "9"], 2, "--program: "),
    (["font.sf2", "--program", "128"], 2, "--program takes 0 to 127"),
    (["font.sf2", "--tail", "1"], 2, "--tail is for a file"),
    (["font.sf2", "bad.sf2"], 1, "bad.sf2 is no sound MIDI file"),
    (["font.sf2", "none.mid"], 1, "cannot read none.mid"),
    (["take.wav", "--unit", "filtre"], 2, "--unit: unknown effect 'filtre'"),
    (["take.wav", "--unit", "sampler"], 2, "--unit: 'sampler' is no effect; accepted: filter"),
    (["take.wav", "--unit", "filter", "--preset", "Wram"], 2, "did you mean 'Warm'?"),
    (["take.wav", "--unit", "filter", "--bank", "1"], 2, "--unit takes --preset"),
    (["take.wav", "song.mid", "--unit", "filter"], 2, "--unit takes one audio file"),
    (["bad.sf2", "--unit", "filter"], 1, "cannot open bad.sf2 as audio"),
    (["font.sf2"], 1, "no JACK server"),
  ])
  func unplayableArgumentsAreReported(
    arguments: [String], status: Int32, message: String
  ) async throws {
    _ = try song()
    _ = try take()
    _ = try folder.write("nothing", to: "bad.sf2")
    let child = try start(arguments)
    #expect(try await child.wait() == .exited(status))
    #expect(child.standardError.contains(message), "\(child.transcript)")
    #expect(child.standardOutput.isEmpty)
  }

  // MARK: Files

  @Test func aSongIsPlayedOnceAndEndsByItself() async throws {
    let server = try await JackServer.start()
    _ = try song()
    let child = try start(["font.sf2", "song.mid"], on: server)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    #expect(child.standardOutput == "ready: auricle 48000 Hz, 256 frames\n")
  }

  @Test func audioIsPlayedOnceThroughAnEffectAndEndsByItself() async throws {
    let server = try await JackServer.start()
    _ = try take()
    let child = try start(["take.wav", "--unit", "filter", "--preset", "Warm"], on: server)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    #expect(child.standardOutput == "ready: auricle 48000 Hz, 256 frames\n")
  }

  @Test(arguments: [["font.sf2", "song.mid"], ["take.wav", "--unit", "filter"]])
  func aFileIsLeftBySIGINT(arguments: [String]) async throws {
    let server = try await JackServer.start()
    _ = try song(endFrame: 100 * 48_000)
    _ = try take(frames: 20 * 48_000)
    let child = try start(arguments, on: server)
    _ = try await child.waitForLine(containing: "ready:")
    child.signal(SIGINT)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
  }

  @Test func audioOfAnotherRateIsPlayed() async throws {
    let server = try await JackServer.start()
    _ = try take(frames: 20_000, sampleRate: 44_100)
    let child = try start(["take.wav", "--unit", "filter"], on: server)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
  }

  /// Records a session on a server that freewheels for a part of the time.
  private func listen(_ played: PlayedSession, _ unit: String, period: Int) async throws
    -> [[Float]]
  {
    let server = try await JackServer.start(period: period, isSynchronous: true)
    let session = try JackSession(
      played.plan, JackSession.Options(server: server.name), log: Logger(label: "test"))
    defer { session.stop() }
    let recorder = try JackTestClient(server, "recorder", audioInputs: 2)
    for channel in 1...2 {
      try await recorder.connect(
        "auricle:\(unit)_out_\(channel)", to: "recorder:audio_in_\(channel)")
    }
    let file = try #require(played.file)
    let take = try await JackTestClient.run([recorder], frames: 300_000) {
      session.play(file)
      try await recorder.setFreewheel(true)
    }[0]
    try await recorder.setFreewheel(false)
    #expect(take.isComplete && file.losses.isEmpty)
    return take.audio
  }

  private func bounce(_ configuration: String, _ arguments: [String]) async throws -> [[Float]] {
    _ = try folder.write(configuration, to: "session.toml")
    let child = try ChildProcess(
      builtProduct("auricle"),
      ["bounce", "session.toml", "--output", "out.wav", "--tail", "0.1", "--overwrite"] + arguments,
      workingDirectory: folder.url)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    return try AudioFileReader(contentsOf: folder.file("out.wav")).read()
  }

  private func expectSame(_ live: [[Float]], _ bounced: [[Float]]) throws {
    #expect(peakDecibels(bounced[0]) > -30)
    let start = try #require(onset(of: live[0]))
    let bouncedStart = try #require(onset(of: bounced[0]))
    for channel in 0..<2 {
      let wanted = Array(bounced[channel][bouncedStart...])
      let heard = Array(live[channel][start...].prefix(wanted.count))
      #expect(firstDifference(heard, wanted) == nil)
    }
  }

  @Test(arguments: [64, 1024])
  func aSongSoundsAsItIsBounced(period: Int) async throws {
    let song = try song()
    let played = try await build(
      PlayOptions(file: folder.file("font.sf2").path, song: song.path, preset: "Sine"))
    let bounced = try await bounce(
      "[[unit]]\nid = \"s\"\ncomponent = \"sampler\"\nsoundfont = \"font.sf2\"\nprogram = 3\n",
      ["--midi", "song.mid", "--period", "333"])
    try expectSame(try await listen(played, "sampler", period: period), bounced)
  }

  @Test func audioSoundsAsItIsBounced() async throws {
    let take = try take()
    let played = try await build(PlayOptions(file: take.path, unit: "filter", preset: "2"))
    let bounced = try await bounce(
      "[[unit]]\nid = \"f\"\ncomponent = \"filter\"\npreset = \"Warm\"\n", ["--input", "take.wav"])
    try expectSame(try await listen(played, "filter", period: 256), bounced)
  }
}
