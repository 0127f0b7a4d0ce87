// auricle record: when a take begins and ends, and what becomes of files.

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
        .filter { $0.hasPrefix("take") }.sorted()
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

  @Test func aTakeIsWhatTheTransportRolls() async throws {
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

  @Test(
    arguments: [
      (["take.wav", "--seconds", "0"], 2, "--seconds takes 0.001 to 1000000 seconds"),
      (["take.wav", "--seconds", "1", "--start", "note"], 2, "leave out --start"),
      (["take.mp3"], 2, ".flac"), (["take.flac", "--format", "float"], 2, "24, 16"),
      (["take.wav", "--from", ""], 2, "'from' is empty"),
      (["take.wav"], 1, absentServer),
    ] as [([String], Int32, String)])
  func whatCannotBeIsTold(_ arguments: [String], status: Int32, text: String) async throws {
    let child = try start(arguments, on: absentServer)
    #expect(try await child.wait() == .exited(status), "\(child.transcript)")
    #expect(child.standardError.contains(text), "\(child.standardError)")
    #expect(try names.isEmpty)
  }
}
