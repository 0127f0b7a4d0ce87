// A session outlives its server, and finds its connections again.

import Foundation
import TestSupport
import Testing

@testable import JackBackend

@Suite(.serialized) struct ReconnectTests {
  private static let outputs = ["filter:lowpass_out_1", "filter:lowpass_out_2"]

  private static let configuration = Configurations.filter(
    connections: Configurations.connection(from: "lowpass", to: "system:playback_*"))

  private func waitUntilBack(_ auricle: RunningAuricle, _ ready: String) async throws {
    _ = try await auricle.child.waitForLine(
      containing: "the JACK server is back; ready: \(ready)", in: .standardError)
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func theSessionGoesOnAtTheNextServerWithAllConnections(signal: Int32) async throws {
    let server = try await JackServer.start(period: 256)
    let auricle = try await RunningAuricle(Self.configuration, on: server)
    var player: JackTestClient? = try JackTestClient(server, "player", audioOutputs: 1)
    var recorder: JackTestClient? = try JackTestClient(server, "recorder", audioInputs: 1)
    // By hand, on either side.
    try await recorder!.connect("player:audio_out_1", to: "filter:lowpass_in_1")
    try await recorder!.connect("filter:lowpass_out_1", to: "recorder:audio_in_1")
    try await Task.sleep(for: .milliseconds(50))
    (player, recorder) = (nil, nil)

    try await server.kill(signal)
    var options = server.options
    (options.sampleRate, options.period) = (44_100, 64)
    try await server.restart(options)
    try await waitUntilBack(auricle, "filter 44100 Hz, 64 frames")
    // Others may come later than we do, and in any order.
    recorder = try JackTestClient(server, "recorder", audioInputs: 1)
    let expected: [Set<String>] = [
      ["system:playback_1", "recorder:audio_in_1"], ["system:playback_2"],
    ]
    let isConnected = await eventually {
      zip(Self.outputs, expected).allSatisfy { Set(recorder!.connections(of: $0)) == $1 }
    }
    #expect(isConnected, "\(auricle.child.transcript)")
    player = try JackTestClient(server, "player", audioOutputs: 1)
    #expect(
      await eventually {
        recorder!.connections(of: "filter:lowpass_in_1") == ["player:audio_out_1"]
      })
    player!.script.audio = [(0..<20_000).map { Float(sin(Double($0) / 20)) }]
    let takes = try await JackTestClient.run([player!, recorder!], frames: 20_000)
    #expect(takes[1].audio[0].max()! > 0.1)
    #expect(try await auricle.end() == .exited(0))
  }

  @Test func noNoteThatSoundedIsLeftAndNewOnesSound() async throws {
    let directory = try TemporaryDirectory()
    let font = directory.file("font.sf2")
    try SoundFontMaker(presets: [
      .init(name: "Sine", zones: [.init(sample: .sine(), releaseSeconds: 0.01)])
    ]).write(to: font)
    let server = try await JackServer.start()
    let auricle = try await RunningAuricle(
      """
      [client]
      name = "sampler"
      [[unit]]
      id = "piano"
      component = "sampler"
      soundfont = "\(font.path)"
      """, on: server)
    func play(_ midi: [TimedMIDI]) async throws -> [Float] {
      let player = try JackTestClient(server, "player", midiOutputs: 1)
      let recorder = try JackTestClient(server, "recorder", audioInputs: 1)
      for (source, destination) in [
        ("player:midi_out_1", "sampler:piano_midi_in"),
        ("sampler:piano_out_1", "recorder:audio_in_1"),
      ] where !recorder.connections(of: source).contains(destination) {
        try await recorder.connect(source, to: destination)
      }
      player.script.midi = midi
      return try await JackTestClient.run([player, recorder], frames: 9_600)[1].audio[0]
    }
    for round in 0..<3 {
      #expect(try await play([TimedMIDI(frame: 0, bytes: [0x90, 60, 127])]).max()! > 0.01)
      try await server.kill()
      try await server.restart()
      #expect(
        await eventually {
          auricle.child.standardError.split(separator: "is back").count == round + 2
        })
      let silence = try await play([])
      #expect(silence.allSatisfy { $0 == 0 })
    }
    #expect(try await auricle.end() == .exited(0))
  }

  @Test func whatIsDisconnectedByHandIsNotConnectedAgain() async throws {
    let server = try await JackServer.start()
    let auricle = try await RunningAuricle(Configurations.filter(), on: server)
    let watcher = try JackTestClient(server, "watcher")
    var other: JackTestClient? = try JackTestClient(server, "other", audioInputs: 2)
    try await watcher.connect(Self.outputs[0], to: "other:audio_in_1")
    try await watcher.connect(Self.outputs[1], to: "other:audio_in_2")
    try await Task.sleep(for: .milliseconds(100))
    try await watcher.disconnect(Self.outputs[0], from: "other:audio_in_1")
    // It is believed at the second look, one a second.
    try await Task.sleep(for: .milliseconds(3200))
    other = nil
    try await Task.sleep(for: .milliseconds(100))
    other = try JackTestClient(server, "other", audioInputs: 2)
    #expect(
      await eventually { watcher.connections(of: Self.outputs[1]) == ["other:audio_in_2"] })
    #expect(watcher.connections(of: Self.outputs[0]) == [])
    withExtendedLifetime(other) {}
    #expect(try await auricle.end() == .exited(0))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalEndsTheWait(signal: Int32) async throws {
    let server = try await JackServer.start()
    let auricle = try await RunningAuricle(Self.configuration, on: server)
    try await server.stop()
    _ = try await auricle.child.waitForLine(
      containing: "waiting for it to come back", in: .standardError)
    #expect(try await auricle.end(with: signal) == .exited(0))
  }
}

@Suite struct ConnectionMemoryTests {
  private let one = PortLink(own: "out", outside: "other:in", isOutput: true)
  private let two = PortLink(own: "out", outside: "another:in", isOutput: true)

  @Test func aConnectionWhosePortHasGoneIsKept() {
    var memory = ConnectionMemory()
    memory.look(at: [one, two], mayForget: true) { _ in true }
    for _ in 0..<5 { memory.look(at: [two], mayForget: true) { $0 != "other:in" } }
    #expect(memory.links(with: ["other:in"]) == [one])
    #expect(memory.links(with: ["third:in"]) == [])
  }

  @Test func aConnectionThatIsMissingAtTwoLooksIsForgotten() {
    var memory = ConnectionMemory()
    memory.look(at: [one, two], mayForget: true) { _ in true }
    memory.look(at: [two], mayForget: true) { _ in true }
    #expect(memory.links == [one, two])
    memory.look(at: [two], mayForget: false) { _ in true }
    #expect(memory.links == [one, two])
    memory.look(at: [two], mayForget: true) { _ in true }
    #expect(memory.links == [two])
  }

  @Test func aConnectionThatCameBackBetweenTwoLooksIsKept() {
    var memory = ConnectionMemory()
    memory.look(at: [one], mayForget: true) { _ in true }
    memory.look(at: [], mayForget: true) { _ in true }
    memory.look(at: [one], mayForget: true) { _ in true }
    memory.look(at: [], mayForget: true) { _ in true }
    #expect(memory.links == [one])
  }
}
