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

  @discardableResult
  private func take(
    _ name: String = "take.wav", frames: Int = 12_000, sampleRate: Double = 48_000,
    channels: Int = 2, seed: UInt64 = 1
  ) throws -> URL {
    let url = folder.file(name)
    let writer = try AudioFileWriter(url: url, sampleRate: sampleRate, channelCount: channels)
    try writer.write(
      (0..<channels).map { Signal.noise(frames: frames, seed: seed + UInt64($0), amplitude: 0.5) })
    try writer.finish()
    return url
  }

  /// Makes a folder of files to play and of others, and returns its path.
  private func album() throws -> String {
    try FileManager.default.createDirectory(
      at: folder.file("album"), withIntermediateDirectories: false)
    try take("album/10.wav", frames: 7_001, seed: 10)
    try take("album/2.wav", frames: 5_001, seed: 2)
    try take("album/.hidden.wav", seed: 5)
    _ = try folder.write("a picture", to: "album/cover.jpg")
    return folder.file("album").path
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
        files: [folder.file("font.sf2").path], preset: preset, bank: bank, program: program))
    let unit = played.plan.document.configuration.units[0]
    #expect(unit.keys["bank"]?.content ?? .integer(0) == .integer(wantedBank))
    #expect(unit.keys["program"]?.content == .integer(wantedProgram))
  }

  @Test(arguments: [
    (["none.sf2"], 2, "none.sf2: no SoundFont 'none.sf2'"),
    (["bad.sf2"], 2, "bad.sf2"), (["mine.toml"], 2, "accepted: auricle run mine.toml"),
    (
      ["font.sf2", "--preset", "Noize"], 2,
      "--preset: font.sf2: no sound 'Noize': did you mean 'Noise'?"
    ),
    (["font.sf2", "--program", "9"], 2, "--program: "),
    (["font.sf2", "--program", "128"], 2, "--program takes 0 to 127"),
    (["font.sf2", "--tail", "1"], 2, "--tail: no file ends here"),
    (["font.sf2", "--loop"], 2, "--loop: no file ends here"),
    (["font.sf2", "bad.sf2"], 2, "bad.sf2: neither music nor the first SoundFont"),
    (["font.sf2", "bad.mid"], 1, "bad.mid is no sound MIDI file"),
    (["font.sf2", "none.mid"], 1, "cannot read none.mid"),
    (["none.wav"], 1, "cannot open none.wav"), (["bad.wav"], 1, "cannot open bad.wav as audio"),
    (["empty"], 2, "empty: no MIDI file and no audio in this folder"),
    (["take.wav", "--preset", "Warm"], 2, "--preset: there is nothing with presets here"),
    (["take.wav", "--unit", "filtre"], 2, "--unit: unknown effect 'filtre'"),
    (["take.wav", "--unit", "sampler"], 2, "--unit: 'sampler' is no effect; accepted: filter"),
    (["take.wav", "--unit", "filter", "--preset", "Wram"], 2, "did you mean 'Warm'?"),
    (["take.wav", "--unit", "filter", "--bank", "1"], 2, "--bank: there is no SoundFont here"),
    (["take.wav"], 1, "no JACK server"),
    (["font.sf2"], 1, "no JACK server"),
  ])
  func unplayableArgumentsAreReported(
    arguments: [String], status: Int32, message: String
  ) async throws {
    _ = try song()
    try take()
    for name in ["bad.sf2", "bad.mid", "bad.wav", "mine.toml"] {
      _ = try folder.write("nothing", to: name)
    }
    try FileManager.default.createDirectory(
      at: folder.file("empty"), withIntermediateDirectories: false)
    let child = try start(arguments)
    #expect(try await child.wait() == .exited(status))
    #expect(child.standardError.contains(message), "\(child.transcript)")
    #expect(child.standardOutput.isEmpty)
  }

  // MARK: Files

  @Test(arguments: [
    ["font.sf2", "song.mid"], ["take.wav"], ["take.wav", "--unit", "filter", "--preset", "Warm"],
  ])
  func filesArePlayedOnceAndPlayEndsByItself(arguments: [String]) async throws {
    let server = try await JackServer.start()
    _ = try song()
    try take()
    let child = try start(arguments, on: server)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    #expect(child.standardOutput == "ready: auricle 48000 Hz, 256 frames\n")
  }

  @Test func filesOfAllKindsArePlayedInTurn() async throws {
    let server = try await JackServer.start()
    _ = try song()
    try take()
    let folder = try album()
    _ = try self.folder.write("no sound", to: "album/3.wav")
    let child = try start(["font.sf2", "song.mid", folder, "song.mid"], on: server)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    let lines = child.standardError.split(separator: "\n")
    #expect(lines.contains { $0.contains("3.wav as audio") && $0.hasSuffix("it is left out") })
    let plays = lines.compactMap { line in
      line.range(of: "plays ").map { line[$0.upperBound...] }
    }
    #expect(
      plays == ["song.mid (00:00)", "2.wav (00:00)", "10.wav (00:00)", "song.mid (00:00)"])
  }

  @Test func aListOfWhichNothingCanBePlayedIsAnError() async throws {
    let server = try await JackServer.start()
    try take(frames: 0)
    let child = try start(["take.wav", "--loop"], on: server)
    #expect(try await child.wait() == .exited(1))
    #expect(child.standardError.contains("take.wav is empty; it is left out"))
    #expect(child.standardError.contains("none of the files could be played"))
  }

  @Test func aPipeIsPlayed() async throws {
    let server = try await JackServer.start()
    try take()
    #expect(mkfifo(folder.file("pipe.wav").path, 0o600) == 0)
    let writer = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"), ["-c", "cat take.wav >pipe.wav"],
      workingDirectory: folder.url)
    let child = try start(["pipe.wav"], on: server)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    #expect(try await writer.wait() == .exited(0))
    #expect(child.standardError.contains("plays pipe.wav (00:00)"))
  }

  /// The folder of the user's SoundFonts comes before the system's.
  @Test func aSongWithoutASoundFontHasTheSystemsOne() async throws {
    let fonts = folder.file("soundfonts")
    try FileManager.default.createDirectory(at: fonts, withIntermediateDirectories: false)
    let font = fonts.appendingPathComponent("default-GM.sf2")
    try FileManager.default.copyItem(at: folder.file("font.sf2"), to: font)
    let builder = SessionBuilder(
      registry: try BuiltInComponents.makeRegistry(),
      environment: ["XDG_DATA_HOME": folder.url.path])
    let played = try await builder.build(PlayOptions(files: [song().path]))
    let unit = played.plan.document.configuration.units[0]
    #expect(unit.keys["soundfont"]?.content == .string(font.path))
  }

  @Test(arguments: [["font.sf2", "song.mid"], ["take.wav"], ["take.wav", "--loop"]])
  func filesAreLeftBySIGINT(arguments: [String]) async throws {
    let server = try await JackServer.start()
    _ = try song(endFrame: 100 * 48_000)
    try take(frames: 20 * 48_000)
    let child = try start(arguments, on: server)
    _ = try await child.waitForLine(containing: "plays ", in: .standardError)
    child.signal(SIGINT)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
  }

  @Test(arguments: [["set", "player/state", "Stopped"], ["panic"]])
  func aPlayerThatIsStoppedEndsTheList(arguments: [String]) async throws {
    let server = try await JackServer.start()
    try take(frames: 60 * 48_000)
    let child = try start(["take.wav", "take.wav"], on: server)
    _ = try await child.waitForLine(containing: "plays ", in: .standardError)
    let stop = try ChildProcess(
      builtProduct("auricle"), ["ctl"] + arguments,
      environment: ["XDG_RUNTIME_DIR": folder.url.path], workingDirectory: folder.url)
    #expect(try await stop.wait() == .exited(0), "\(stop.transcript)")
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
  }

  @Test func audioOfAnotherRateIsPlayed() async throws {
    let server = try await JackServer.start()
    try take(frames: 20_000, sampleRate: 44_100)
    let child = try start(["take.wav"], on: server)
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
    let list = try #require(played.list)
    let delay = session.playDelay
    let playing = Task {
      await list.play(afterSeconds: delay, report: { _ in }) { Issue.record("\($0)") }
    }
    let take = try await JackTestClient.run([recorder], frames: 300_000) {
      #expect(await eventually { list.progress != nil })
      try await recorder.setFreewheel(true)
    }[0]
    try await recorder.setFreewheel(false)
    playing.cancel()
    #expect(take.isComplete && list.losses.isEmpty)
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
      PlayOptions(files: [folder.file("font.sf2").path, song.path], preset: "Sine"))
    let bounced = try await bounce(
      "[[unit]]\nid = \"s\"\ncomponent = \"sampler\"\nsoundfont = \"font.sf2\"\nprogram = 3\n",
      ["--midi", "song.mid", "--period", "333"])
    try expectSame(try await listen(played, "sampler", period: period), bounced)
  }

  @Test func audioSoundsAsItIsBounced() async throws {
    let take = try take()
    let played = try await build(PlayOptions(files: [take.path], unit: "filter", preset: "2"))
    let bounced = try await bounce(
      "[[unit]]\nid = \"f\"\ncomponent = \"filter\"\npreset = \"Warm\"\n", ["--input", "take.wav"])
    try expectSame(try await listen(played, "filter", period: 256), bounced)
  }

  @Test func audioFilesOfAFolderFollowEachOtherWithoutAGap() async throws {
    let played = try await build(PlayOptions(files: [try album()]))
    let live = try await listen(played, "player", period: 256)
    let start = try #require(onset(of: live[0]))
    for channel in 0..<2 {
      let seed = UInt64(channel)
      let wanted =
        Signal.noise(frames: 5_001, seed: 2 + seed, amplitude: 0.5)
        + Signal.noise(frames: 7_001, seed: 10 + seed, amplitude: 0.5)
      #expect(firstDifference(Array(live[channel][start...].prefix(12_002)), wanted) == nil)
    }
  }

  @Test func aMonoFileIsHeardOnBothSides() async throws {
    let played = try await build(PlayOptions(files: [try take(channels: 1).path]))
    let live = try await listen(played, "player", period: 256)
    let start = try #require(onset(of: live[0]))
    let wanted = Signal.noise(frames: 12_000, seed: 1, amplitude: 0.5)
    for channel in 0..<2 {
      #expect(firstDifference(Array(live[channel][start...].prefix(12_000)), wanted) == nil)
    }
  }

  @Test func aSingleFileRepeatsWithoutAGap() async throws {
    let played = try await build(
      PlayOptions(files: [try take(frames: 10_007).path], loops: true))
    let live = try await listen(played, "player", period: 64)
    let start = try #require(onset(of: live[0]))
    let pass = Signal.noise(frames: 10_007, seed: 1, amplitude: 0.5)
    let wanted = Array((0..<5).map { _ in pass }.joined())
    #expect(firstDifference(Array(live[0][start...].prefix(wanted.count)), wanted) == nil)
  }
}
