// `auricle record`: the beginning and end of a take, and its files.

import Foundation
import MediaFiles
import TestSupport
import Testing

@Suite(.serialized) struct RecordCommandTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func start(_ arguments: [String], on server: String) throws -> ChildProcess {
    try ChildProcess(
      builtProduct("auricle"), ["record", "--server", server] + arguments,
      environment: ["XDG_RUNTIME_DIR": folder.url.path], workingDirectory: folder.url)
  }

  private func recorded(_ name: String) throws -> [[Float]] {
    try AudioFileReader(contentsOf: folder.file(name)).read()
  }

  private var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        .filter { $0.hasPrefix("take") && !$0.hasSuffix(".marks.txt") }.sorted()
    }
  }

  @Test func aTakeBeginsOnTheFrameOfTheFirstNote() async throws {
    let server = try await JackServer.start(period: 1024, isSynchronous: true)
    let player = try JackTestClient(server, "player", audioOutputs: 1, midiOutputs: 1)
    player.script.audio = [Signal.noise(frames: 480_000, seed: 1)]
    player.script.midi = [
      TimedMIDI(frame: 20_000, bytes: [0xB0, 1, 2]),
      TimedMIDI(frame: 30_011, bytes: [0x90, 60, 100]),
      TimedMIDI(frame: 40_000, bytes: [0x90, 61, 100]),
    ]
    let child = try start(
      ["take.wav", "--from", "player:audio_out_1", "--start", "note"], on: server.name)
    _ = try await child.waitForLine(containing: "ready:")
    _ = try await child.waitForLine(containing: "waits for 'physical:midi'", in: .standardError)
    try await player.connect("player:midi_out_1", to: "recorder:take_midi_in")
    let take = try await JackTestClient.run([player], frames: 120_000)[0]
    #expect(take.isComplete)
    child.signal(SIGINT)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    let sound = try recorded("take.wav")[0]
    #expect(sound.count > 60_000)
    #expect(
      firstDifference(
        Array(sound.prefix(60_000)), Array(player.script.audio[0][30_011..<90_011])) == nil)
  }

  @Test func aTakeHasTheFramesInWhichTheTransportRolls() async throws {
    let server = try await JackServer.start(period: 1024, isSynchronous: true)
    let player = try JackTestClient(server, "player", audioOutputs: 1)
    player.script.audio = [Signal.noise(frames: 480_000, seed: 2)]
    player.script.transport = [
      TransportCommand(frame: 20_000, .start), TransportCommand(frame: 50_000, .stop),
      TransportCommand(frame: 70_000, .start), TransportCommand(frame: 90_000, .stop),
    ]
    let child = try start(
      ["take.wav", "--from", "player:audio_out_1", "--start", "transport"], on: server.name)
    _ = try await child.waitForLine(containing: "ready:")
    let take = try await JackTestClient.run([player], frames: 120_000)[0]
    #expect(take.isComplete)
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    let rolling = take.transport.filter(\.isRolling).map(\.frame)
    let first = try #require(rolling.first { $0 >= 20_000 })
    let end = try #require(take.transport.first { $0.frame > first && !$0.isRolling }?.frame)
    let second = try #require(rolling.first { $0 > end })
    let secondEnd = try #require(
      take.transport.first { $0.frame > second && !$0.isRolling }?.frame)
    for (name, range) in [("take.wav", first..<end), ("take-2.wav", second..<secondEnd)] {
      #expect(firstDifference(try recorded(name)[0], Array(player.script.audio[0][range])) == nil)
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func theMachinesInputsAreRecordedAndNothingIsWrittenOver(signal: Int32) async throws {
    let server = try await JackServer.start()
    let looker = try JackTestClient(server, "looker", audioInputs: 1)
    _ = try folder.write("former", to: "take.flac")
    let child = try start(["take.flac"], on: server.name)
    _ = try await child.waitForLine(containing: "ready:")
    for channel in 1...2 {
      #expect(
        await eventually {
          looker.connections(of: "recorder:take_in_\(channel)") == ["system:capture_\(channel)"]
        })
    }
    #expect(await eventually { (try? names.contains("take-2.flac")) == true })
    child.signal(signal)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    #expect(try Data(contentsOf: folder.file("take.flac")) == Data("former".utf8))
    #expect(try recorded("take-2.flac").count == 2)
    #expect(try names == ["take-2.flac", "take.flac"])
  }

  @Test func itWaitsForPortsThatComeLater() async throws {
    let server = try await JackServer.start(period: 1024, isSynchronous: true)
    let child = try start(
      ["take.wav", "--from", "late:audio_out_1", "--seconds", "0.25"], on: server.name)
    _ = try await child.waitForLine(
      containing: "begins when there is a port for 'late:audio_out_1'", in: .standardError)
    // Longer than the take would be.
    try await Task.sleep(for: .milliseconds(700))
    #expect(try names.isEmpty)
    let player = try JackTestClient(server, "late", audioOutputs: 1)
    player.script.audio = [Signal.noise(frames: 480_000, seed: 1)]
    let takes = try await JackTestClient.run([player], frames: 480_000) {
      let status = try await child.wait()
      #expect(status == .exited(0), "\(child.transcript)")
    }
    #expect(takes[0].isComplete)
    let sound = try recorded("take.wav")[0]
    #expect(sound.count == 12_000)
    // The take may have begun before the player.
    let first = try #require(sound.firstIndex { $0 != 0 })
    let start = try #require(player.script.audio[0].firstIndex { $0 == sound[first] })
    #expect(
      firstDifference(
        Array(sound[first...]), Array(player.script.audio[0][start...].prefix(12_000 - first)))
        == nil)
  }

  @Test func portsThatAreNotThereAreAnError() async throws {
    let server = try await JackServer.start()
    let refused = try start(["take.wav", "--from", "nobody:out", "--no-wait"], on: server.name)
    #expect(try await refused.wait() == .exited(1), "\(refused.transcript)")
    #expect(refused.standardError.contains("there is no port to record for 'nobody:out'"))
    let waiting = try start(
      ["take.wav", "--from", "system:capture_1", "--from", "nobody:out"], on: server.name)
    _ = try await waiting.waitForLine(
      containing: "begins when there is a port for 'nobody:out'", in: .standardError)
    waiting.signal(SIGINT)
    #expect(try await waiting.wait() == .exited(1), "\(waiting.transcript)")
    #expect(waiting.standardError.contains("nothing was recorded: no port came for 'nobody:out'"))
    #expect(try names.isEmpty)
    withExtendedLifetime(server) {}
  }

  @Test func aLostSourceIsReportedAndMarked() async throws {
    let server = try await JackServer.start()
    let child = try start(["take.wav", "--from", "player:audio_out_1"], on: server.name)
    var player: JackTestClient? = try JackTestClient(server, "player", audioOutputs: 1)
    _ = try await child.waitForLine(containing: "take: records", in: .standardError)
    withExtendedLifetime(player) {}
    player = nil
    _ = try await child.waitForLine(
      containing: "player:audio_out_1 is disconnected", in: .standardError)
    player = try JackTestClient(server, "player", audioOutputs: 1)
    _ = try await child.waitForLine(
      containing: "player:audio_out_1 is connected again", in: .standardError)
    child.signal(SIGINT)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    let length = Double(try recorded("take.wav")[0].count) / 48_000
    let marks = try String(contentsOf: folder.file("take.wav.marks.txt"), encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: "\t") }
      .filter { $0[2].hasPrefix("player") }
    #expect(marks.map { $0[2].split(separator: " ").last } == ["disconnected", "again"])
    let times = marks.compactMap { Double($0[0]) }
    #expect(times.count == 2 && 0 < times[0] && times[0] < times[1] && times[1] <= length)
    #expect(child.standardError.contains("take.wav.marks.txt says where"))
    withExtendedLifetime(player) {}
  }

  @Test func aTakeThatMissedCyclesHasItsLength() async throws {
    let server = try await JackServer.start(period: 512)
    let child = try start(["take.wav", "--seconds", "2"], on: server.name)
    _ = try await child.waitForLine(containing: "ready:")
    #expect(await eventually { (try? names) == ["take.wav"] })
    // The server continues without the client.
    child.signal(SIGSTOP)
    try await Task.sleep(for: .milliseconds(200))
    child.signal(SIGCONT)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    #expect(try recorded("take.wav").map(\.count) == [96_000, 96_000])
    #expect(child.standardError.contains("frames are silence: the server skipped them"))
    withExtendedLifetime(server) {}
  }

  @Test func aTerminalShowsHowItDoes() async throws {
    let server = try await JackServer.start()
    _ = try folder.write("former", to: "take.flac")
    let terminal = try PseudoTerminal()
    let child = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"),
      [
        "-c", "exec \"$0\" record take.flac --server \(server.name) 2>\(terminal.path)",
        try builtProduct("auricle").path,
      ],
      environment: ["XDG_RUNTIME_DIR": folder.url.path], workingDirectory: folder.url)
    let shown = try Regex("recording: take-2.flac 00:0[0-9], silence, [0-9.]+ .B free")
    var text = ""
    let isShown = await eventually {
      text += terminal.text
      return text.contains(shown) && text.contains("take: records take-2.flac")
    }
    #expect(isShown, "\(text)")
    child.signal(SIGINT)
    #expect(try await child.wait() == .exited(0))
    #expect(terminal.text.contains("take: take-2.flac has "))
  }

  /// Runs if the tests may mount a small disk.
  @Test(.enabled(if: geteuid() == 0))
  func aFullDiskEndsIt() async throws {
    let server = try await JackServer.start()
    let disk = folder.file("disk").path
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    guard mount("tmpfs", disk, "tmpfs", 0, "size=64k") == 0 else { return }
    defer { umount2(disk, Int32(MNT_DETACH)) }
    let child = try start(["disk/take.wav"], on: server.name)
    #expect(try await child.wait() == .exited(1), "\(child.transcript)")
    #expect(child.standardError.contains("no space left for"))
    #expect(child.standardError.contains("the recording has ended early"))
    withExtendedLifetime(server) {}
  }

  @Test(
    arguments: [
      (["take.wav", "--seconds", "0"], 2, "--seconds takes 0.001 to 1000000 seconds"),
      (["take.wav", "--seconds", "1", "--start", "note"], 2, "leave out --start"),
      (["take.mp3"], 2, ".flac"), (["take.flac", "--format", "float"], 2, "24, 16"),
      (["take.wav", "--from", ""], 2, "'from' is empty"),
      (["take.wav"], 1, absentServer),
    ] as [([String], Int32, String)])
  func impossibleRecordingsAreReported(_ arguments: [String], status: Int32, text: String)
    async throws
  {
    let child = try start(arguments, on: absentServer)
    #expect(try await child.wait() == .exited(status), "\(child.transcript)")
    #expect(child.standardError.contains(text), "\(child.standardError)")
    #expect(try names.isEmpty)
  }
}
