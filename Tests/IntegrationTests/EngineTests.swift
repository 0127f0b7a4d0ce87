// Programs that use an engine, on a server.

import AudioEngine
import CJack
import ControlSocket
import Effects
import Foundation
import MediaFiles
import Players
import Remotes
import Session
import SessionModel
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

  /// Starts a program, and records its first output once it is connected.
  private func hear(
    _ arguments: [String], on server: JackServer, frames: Int
  ) async throws -> (program: ChildProcess, sound: [Float]) {
    let recorder = try JackTestClient(server, "recorder", audioInputs: 1)
    let program = try start(arguments, on: server)
    #expect(
      await eventually {
        recorder.connections(of: "system:playback_1") == ["engine-tour:output_out_1"]
      })
    try await recorder.connect("engine-tour:output_out_1", to: "recorder:audio_in_1")
    return (program, try await JackTestClient.run([recorder], frames: frames)[0].audio[0])
  }

  @Test func theSirenIsReleasedAtTheEndOfItsLoop() async throws {
    let server = try await JackServer.start(period: 256)
    let (program, sound) = try await hear(["siren"], on: server, frames: 48_000)
    #expect(peakDecibels(sound) > -20)
    #expect(try await program.wait() == .exited(0), "\(program.transcript)")
    let lines = program.standardOutput.split(separator: "\n").map(String.init)
    #expect(lines.last == "released")
    #expect(lines.dropLast() == (1..<lines.count).map { "loop \($0)" }[...])
    #expect(lines.count >= 2)
  }

  @Test func theRecordingOfATapIsPlayed() async throws {
    let server = try await JackServer.start(period: 256)
    let file = rig.directory.file("take.wav")
    let program = try start(["players", file.path], on: server)
    #expect(try await program.wait() == .exited(0), "\(program.transcript)")
    #expect(program.standardOutput == "playing take.wav\nplayed\n")
    let take = try AudioFileReader(contentsOf: file).read()
    #expect(take.count == 2 && take[0].count >= 48_000)
    // At the end the drums are on the left, the melody on the right.
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
    let (program, sound) = try await hear(["stream", file.path], on: server, frames: 24_000)
    #expect(peakDecibels(sound) > -10)
    #expect(try await program.wait() == .exited(0), "\(program.transcript)")
    #expect(program.standardOutput == "15 pieces\n")
  }

  @Test func ballsComeAndGo() async throws {
    let server = try await JackServer.start(period: 256)
    let (program, sound) = try await hear(["balls", "30"], on: server, frames: 24_000)
    #expect(peakDecibels(sound) > -30)
    #expect(try await program.wait() == .exited(0), "\(program.transcript)")
    #expect(program.standardOutput == "30 balls\n")
  }

  /// Plays a SoundFont of clicks; a key moves the click by up to 32 frames within its note.
  @Test func notesSoundAtTheirDistances() async throws {
    let server = try await JackServer.start(period: 256)
    let font = SoundFontMaker(presets: [
      .init(program: 0, name: "Click", zones: [.init(sample: .click())])
    ])
    let file = try font.write(to: rig.directory.file("click.sf2"))
    let (program, sound) = try await hear(["notes", file.path], on: server, frames: 48_000)
    var starts: [Int] = []
    for (frame, sample) in sound.enumerated()
    where sample.magnitude > 0.01 && frame > (starts.last ?? -4800) + 4800 {
      starts.append(frame)
    }
    #expect(starts.count >= 4, "\(starts)")
    for (start, next) in zip(starts, starts.dropFirst()) {
      #expect(abs(next - start - 9600) <= 32, "\(starts)")
    }
    #expect(try await program.wait() == .exited(0), "\(program.transcript)")
    #expect(program.standardOutput == "played\n")
  }

  @Test func aStateAndAFunctionAreASource() async throws {
    let server = try await JackServer.start(period: 256)
    let (program, sound) = try await hear(["hum"], on: server, frames: 24_000)
    #expect(peakDecibels(sound) > -20)
    #expect(try await program.wait() == .exited(0), "\(program.transcript)")
  }

  @Test func aMemoIsRecordedAndPlayed() async throws {
    let server = try await JackServer.start(period: 256)
    let singer = try JackTestClient(server, "singer", audioOutputs: 1)
    singer.script.audio = [Signal.sine(frames: 480_000, frequencyHertz: 441, amplitude: 0.5)]
    let file = rig.directory.file("memo.wav")
    let program = try start(["memo", file.path], on: server)
    #expect(
      await eventually { singer.connections(of: "system:capture_1") == ["memo:input_in_1_1"] })
    try await singer.connect("singer:audio_out_1", to: "memo:input_in_1_1")
    _ = try await JackTestClient.run([singer], frames: 72_000)
    let listener = try JackTestClient(server, "listener", audioInputs: 1)
    #expect(
      await eventually { listener.connections(of: "system:playback_1") == ["memo:output_out_1"] })
    try await listener.connect("memo:output_out_1", to: "listener:audio_in_1")
    let sound = try await JackTestClient.run([listener], frames: 24_000)[0].audio[0]
    #expect(abs(peakDecibels(sound) + 6) < 0.1)
    #expect(try await program.wait() == .exited(0), "\(program.transcript)")
    #expect(program.standardOutput == "recorded\nplayed\n")
    let take = try AudioFileReader(contentsOf: file).read()
    #expect(take.count == 2 && take[0].count >= 90_000)
    #expect(abs(peakDecibels(take[0]) + 6) < 0.1)
  }

  /// Renders without a server.
  @Test func aFileIsRenderedIntoAnother() async throws {
    let (source, target) = (rig.directory.file("sound.wav"), rig.directory.file("result.wav"))
    let writer = try AudioFileWriter(url: source, sampleRate: 44_100, channelCount: 1)
    try writer.write([
      Signal.sine(frames: 70_000, frequencyHertz: 441, sampleRate: 44_100, amplitude: 0.5)
    ])
    try writer.finish()
    let program = try ChildProcess(
      builtProduct("EngineTour"), ["bounce", source.path, target.path])
    #expect(try await program.wait() == .exited(0), "\(program.transcript)")
    let reader = try AudioFileReader(contentsOf: target)
    let reverb = try ReverbUnit()
    #expect(reader.sampleRate == 44_100)
    try #require(reader.frameCount == 70_000 + Int(reverb.tailTime * 44_100))
    let result = try reader.read()
    #expect(result.count == 2)
    for channel in result {
      #expect(rootMeanSquareDecibels(Array(channel[..<70_000])) > -20)
      // The tail: audible after the sound, and gone at the end of the file.
      #expect(rootMeanSquareDecibels(Array(channel[70_000..<74_410])) > -50)
      #expect(rootMeanSquareDecibels(Array(channel.suffix(441))) < -80)
    }
  }

  /// Uses an engine as any session, with a singer at its input.
  @Test func anEngineIsReachedByCommandsAndByOtherClients() async throws {
    let server = try await JackServer.start(period: 256)
    let program = try start(["karaoke"], on: server)
    #expect(await eventually { program.standardOutput.contains("sing an A") })
    #expect(
      try await rig.ctl("list").split(separator: "\n").map { $0.prefix { $0 != " " } } == [
        "backing", "applause", "delay", "input", "mixer", "output", "input-tap",
      ])
    #expect(try await rig.ctl("get", "mixer/inputs/2/volume") == "0.3\n")
    // A unit that a command adds plays along, and stays when the program continues.
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

/// Engines inside the test process.
@Suite(.serialized) struct LiveEngineTests {
  /// Plays through a limiter that looks ahead, and out of the server.
  @Test func aSoundIsHeardAsLateAsUnitsAndServerSay() async throws {
    let server = try await JackServer.start(period: 256)
    let engine = try Engine(name: "late", .jack(JackSession.Options(server: server.name)))
    let player = try ScheduledPlayerUnit()
    let limiter = try LimiterUnit(lookAhead: 5)
    try engine.attach(player)
    try engine.attach(limiter)
    try await engine.connect(player, to: limiter)
    try await engine.connect(limiter, to: engine.outputNode)
    try await engine.start()
    let client = try JackTestClient(server, "looker", audioInputs: 1)
    #expect(
      await eventually { client.connections(of: "system:playback_1") == ["late:output_out_1"] })
    let outside = try #require(client.latency(of: "late:output_out_1", isCapture: false))
    // The server reports its latency soon after the ports are connected.
    let latency = Double(outside.upperBound + 240) / 48_000
    #expect(await eventually { player.contextPresentationLatency == latency })

    let reports = AsyncStream<PlaybackReport>.makeStream()
    try player.play()
    try player.schedule(
      AudioClip([[0.5, 0.5], [0.5, 0.5]], sampleRate: 48_000), reporting: [.rendered, .heard]
    ) { reports.continuation.yield($0) }
    var iterator = reports.stream.makeAsyncIterator()
    let (rendered, heard) = (await iterator.next(), await iterator.next())
    #expect(rendered?.stage == .rendered && heard?.stage == .heard)
    let frames = try #require(rendered?.frame)
    #expect(heard?.frame == frames + Int64(outside.upperBound + 240))
    await engine.stop()
  }

  @Test func anEngineWaitsForTheNextServerAndReportsIt() async throws {
    let server = try await JackServer.start(period: 256)
    let engine = try Engine(name: "patient", .jack(JackSession.Options(server: server.name)))
    let changes = AsyncStream<EngineChange>.makeStream()
    let observer = engine.addObserver { changes.continuation.yield($0) }
    let player = try ScheduledPlayerUnit(channels: 1)
    try engine.attach(player)
    try await engine.connect(player, to: engine.mainMixerNode)
    try await engine.start()
    try player.schedule(
      AudioClip([Signal.sine(frames: 48_000, frequencyHertz: 480)], sampleRate: 48_000),
      options: .loops)
    try player.play()
    #expect(await eventually { player.isPlaying })
    try await server.kill(SIGKILL)
    var iterator = changes.stream.makeAsyncIterator()
    #expect(await iterator.next() == .serverGone)
    var options = server.options
    options.sampleRate = 44_100
    try await server.restart(options)
    #expect(await iterator.next() == .serverBack(sampleRate: 44_100))
    // It continues, and can be changed.
    let delay = try DelayUnit()
    try engine.attach(delay)
    try await engine.disconnectOutput(of: player)
    try await engine.connect(player, to: delay)
    try await engine.connect(delay, to: engine.mainMixerNode)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 1)
    try await recorder.connect("patient:output_out_1", to: "recorder:audio_in_1")
    let take = try await JackTestClient.run([recorder], frames: 20_000)[0]
    #expect(peakDecibels(take.audio[0]) > -20)
    engine.removeObserver(observer)
    await engine.stop()
    #expect(!engine.isRunning && engine.clientName == nil)
  }

  @Test func allDevicesPlayAUnitThoseThatComeLaterToo() async throws {
    let server = try await JackServer.start(period: 256)
    let keys = try JackTestClient(server, "keys", audioInputs: 1)
    func device(_ name: String) {
      let flags = [JackPortIsOutput, JackPortIsPhysical, JackPortIsTerminal]
      jack_port_register(
        keys.handle, name, JACK_DEFAULT_MIDI_TYPE, UInt(flags.reduce(0) { $0 | $1.rawValue }), 0)
    }
    device("first")
    device("Midi-Through")
    let engine = try Engine(name: "played", .jack(JackSession.Options(server: server.name)))
    let tone = try ToneUnit()
    try engine.attach(tone)
    try await engine.connect(tone, to: engine.mainMixerNode)
    try await engine.connectMIDIDevices(to: tone)
    try await engine.start()
    func connections() -> Set<String> { Set(keys.connections(of: "played:tone_midi_in")) }
    #expect(await eventually { connections() == ["keys:first"] })
    device("second")
    #expect(await eventually { connections() == ["keys:first", "keys:second"] })
    try await engine.disconnectMIDIInput(of: tone)
    #expect(await eventually { connections().isEmpty })
    await engine.stop()
  }

  /// Returns the program's own unit, whatever was added and removed meanwhile.
  @Test func undoRestoresTheProgramsOwnUnit() async throws {
    let server = try await JackServer.start(period: 256)
    let engine = try Engine(name: "kept", .jack(JackSession.Options(server: server.name)))
    let (tone, other) = (try ToneUnit(), try ToneUnit())
    for unit in [tone, other] { try engine.attach(unit) }
    try await engine.connect(tone, to: engine.mainMixerNode)
    try await engine.start()
    try await engine.connect(other, to: engine.mainMixerNode)
    let client = try ControlClient(session: "kept")
    func ask(_ command: SessionCommand) throws -> SessionAnswer {
      try client.send(SessionWire.encode(command))
      return try SessionWire.answer(try client.nextLine(isPatient: true))
    }
    let steps = 2 + 2 * 9
    for id in ["tone", "tone-2"] { _ = try ask(.remove(unit: id)) }
    for _ in 0..<9 {
      _ = try ask(.add(unit: "guest", component: "filter"))
      _ = try ask(.remove(unit: "guest"))
    }
    #expect(!tone.renderResourcesAllocated && !other.renderResourcesAllocated)
    _ = try ask(.undo(steps: steps))
    #expect(tone.renderResourcesAllocated && other.renderResourcesAllocated)
    await engine.stop()
  }

  @Test func framesAreTimesOfTheHostsClock() async throws {
    let server = try await JackServer.start(period: 256)
    let engine = try Engine(name: "timed", .jack(JackSession.Options(server: server.name)))
    let tone = try ToneUnit()
    try engine.attach(tone)
    try await engine.connect(tone, to: engine.mainMixerNode)
    #expect(engine.hostTime(atFrame: 0) == nil && engine.frame(atHostTime: 0) == nil)
    let before = Engine.hostTime
    try await engine.start()
    #expect(await eventually { (engine.frame ?? 0) > 24_000 })
    let frame = try #require(engine.frame)
    let time = try #require(engine.hostTime(atFrame: frame - 12_000))
    // JACK may place a cycle's start a little before or after its own.
    #expect(time > before && time < Engine.hostTime)
    #expect(engine.frame(atHostTime: time).map { abs($0 - (frame - 12_000)) < 48 } == true)
    #expect(engine.frame(atSeconds: 2) == 96_000 && engine.seconds(atFrame: 96_000) == 2)
    // An event at a time of the host's clock.
    let soon = try #require(engine.frame(atHostTime: Engine.hostTime + 100_000_000))
    #expect(soon > frame)
    let playing = try #require(tone.parameterTree.parameter(keyPath: "playing"))
    try tone.scheduleParameter(playing.address, value: 1, at: .frame(soon))
    await engine.stop()
    #expect(engine.hostTime(atFrame: 0) == nil && engine.frame(atHostTime: 0) == nil)
  }

  @Test func whereThereIsNoServerThatIsSaid() async throws {
    let engine = try Engine(.jack(JackSession.Options(server: absentServer)))
    _ = engine.mainMixerNode
    await #expect {
      try await engine.start()
    } throws: { "\($0)".contains(absentServer) && $0 is EngineError }
    #expect(!engine.isRunning)
  }
}
