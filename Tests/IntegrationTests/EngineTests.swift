// The programs over an engine, on a server.

import Foundation
import MediaFiles
import TestSupport
import Testing

@Suite(.serialized) struct EngineProgramTests {
  private let rig: ControlRig

  init() throws { rig = try ControlRig() }

  private func start(_ arguments: [String], on server: JackServer) throws -> ChildProcess {
    try ChildProcess(
      builtProduct("EngineTour"), arguments,
      environment: rig.environment.merging(["JACK_DEFAULT_SERVER": server.name]) { $1 })
  }

  /// What a program sends to its first output from when it is connected.
  private func hear(_ server: JackServer, frames: Int) async throws -> [Float] {
    let recorder = try JackTestClient(server, "recorder", audioInputs: 1)
    #expect(
      await eventually {
        recorder.connections(of: "system:playback_1") == ["engine-tour:output_out_1"]
      })
    try await recorder.connect("engine-tour:output_out_1", to: "recorder:audio_in_1")
    return try await JackTestClient.run([recorder], frames: frames)[0].audio[0]
  }

  @Test func theSirenIsReleasedAtTheEndOfItsLoop() async throws {
    let server = try await JackServer.start(period: 256)
    let program = try start(["siren"], on: server)
    #expect(peakDecibels(try await hear(server, frames: 48_000)) > -20)
    #expect(try await program.wait() == .exited(0), "\(program.transcript)")
    let lines = program.standardOutput.split(separator: "\n").map(String.init)
    #expect(lines.last == "released")
    #expect(lines.dropLast() == (1..<lines.count).map { "loop \($0)" }[...])
    #expect(lines.count >= 2)
  }

  @Test func whatTheTapRecordsIsPlayed() async throws {
    let server = try await JackServer.start(period: 256)
    let file = rig.directory.file("take.wav")
    let program = try start(["players", file.path], on: server)
    #expect(try await program.wait() == .exited(0), "\(program.transcript)")
    #expect(program.standardOutput == "playing take.wav\nplayed\n")
    let take = try AudioFileReader(contentsOf: file).read()
    #expect(take.count == 2 && take[0].count >= 48_000 && take[0].count.isMultiple(of: 4096))
    // The drums have gone to the left by its end, the melody to the right.
    let end = take.map { rootMeanSquareDecibels(Array($0.suffix(24_000))) }
    #expect(abs(end[0] - end[1]) > 1, "\(end)")
  }

  @Test func aStreamIsHeardPieceByPiece() async throws {
    let server = try await JackServer.start(period: 256)
    let file = rig.directory.file("sound.flac")
    let writer = try AudioFileWriter(url: file, sampleRate: 44_100, channelCount: 2)
    let sine = Signal.sine(frames: 60_000, frequencyHertz: 441, sampleRate: 44_100, amplitude: 0.5)
    try writer.write([sine, sine])
    try writer.finish()
    let program = try start(["stream", file.path], on: server)
    #expect(peakDecibels(try await hear(server, frames: 24_000)) > -10)
    #expect(try await program.wait() == .exited(0), "\(program.transcript)")
    #expect(program.standardOutput == "15 pieces\n")
  }

  @Test func ballsComeAndGo() async throws {
    let server = try await JackServer.start(period: 256)
    let program = try start(["balls", "30"], on: server)
    #expect(peakDecibels(try await hear(server, frames: 24_000)) > -30)
    #expect(try await program.wait() == .exited(0), "\(program.transcript)")
    #expect(program.standardOutput == "30 balls\n")
  }

  /// It is a session as any, and hears who sings.
  @Test func anEngineIsReachedByCommandsAndByOtherClients() async throws {
    let server = try await JackServer.start(period: 256)
    let program = try start(["karaoke"], on: server)
    #expect(await eventually { program.standardOutput.contains("sing an A") })
    #expect(
      try await rig.ctl("list").split(separator: "\n").map { $0.prefix { $0 != " " } } == [
        "backing", "applause", "delay", "input", "mixer", "output", "input-tap",
      ])
    #expect(try await rig.ctl("get", "mixer/inputs/2/volume") == "0.3\n")
    // What somebody else adds is heard beside it, and stays when the program goes on.
    #expect(try await rig.ctl("add", "more", "tone") == "")
    #expect(try await rig.ctl("connect", "more", "mixer:9") == "")
    let singer = try JackTestClient(server, "singer", audioOutputs: 1)
    singer.script.audio = [
      Signal.sine(frames: 480_000, frequencyHertz: 441, amplitude: 0.5)
    ]
    try await singer.connect("singer:audio_out_1", to: "engine-tour:input_in_1_1")
    _ = try await JackTestClient.run([singer], frames: 96_000)
    #expect(try await program.wait() == .exited(0), "\(program.transcript)")
    #expect(program.standardOutput.contains("that is an A: 44"), "\(program.transcript)")
  }
}
