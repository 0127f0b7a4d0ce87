// The rig's JACK client: sent signals arrive on their frames.
import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct JackTestClientTests {
  /// Random messages, several a cycle and several a frame.
  private func messages(seed: UInt64, frames: Int, count: Int, ports: Int) -> [TimedMIDI] {
    var random = SeededRandom(seed: seed)
    return (0..<count)
      .map { index in
        TimedMIDI(
          frame: Int.random(in: 0..<frames, using: &random),
          bytes: index % 50 == 0
            ? [0xF0] + random.bytes(40).map { $0 & 0x7F } + [0xF7]
            : [0x90, UInt8(index & 0x7F), 64],
          port: Int.random(in: 0..<ports, using: &random))
      }
      .sorted { $0.frame < $1.frame }
  }

  @Test(arguments: [16, 100, 256, 1_024])
  func midiAndAudioArriveOnTheirFrames(period: Int) async throws {
    let server = try await JackServer.start(period: period)
    let player = try JackTestClient(server, "player", audioOutputs: 2, midiOutputs: 2)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 2, midiInputs: 2)
    for port in 1...2 {
      try await player.connect("player:audio_out_\(port)", to: "recorder:audio_in_\(port)")
      try await player.connect("player:midi_out_\(port)", to: "recorder:midi_in_\(port)")
    }
    try await player.setFreewheel(true)
    let frames = 50_001
    player.script = JackScript(
      audio: [
        Signal.noise(frames: frames, seed: 1), Signal.impulse(frames: 300, at: 299),
      ], midi: messages(seed: UInt64(period), frames: frames, count: 500, ports: 2))

    let takes = try await JackTestClient.run([player, recorder], frames: frames)

    #expect(takes[1].isComplete && takes[0].isComplete)
    #expect(takes[1].startsInCycle == 0)
    #expect(firstDifference(takes[1].audio[0], player.script.audio[0]) == nil)
    #expect(firstDifference(takes[1].audio[1], Signal.impulse(frames: frames, at: 299)) == nil)
    for port in 0..<2 {
      let (sent, received) = (player.script.midi, takes[1].midi)
      #expect(
        firstDifference(received.filter { $0.port == port }, sent.filter { $0.port == port }) == nil
      )
    }
  }

  @Test func liveAndFreewheelTakesAreTheSame() async throws {
    let server = try await JackServer.start(period: 1_024)
    let player = try JackTestClient(server, "player", audioOutputs: 1, midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 1, midiInputs: 1)
    try await player.connect("player:audio_out_1", to: "recorder:audio_in_1")
    try await player.connect("player:midi_out_1", to: "recorder:midi_in_1")
    player.script = JackScript(
      audio: [Signal.noise(frames: 20_000, seed: 2)],
      midi: messages(seed: 3, frames: 20_000, count: 100, ports: 1))
    let live = try await JackTestClient.run([player, recorder], frames: 20_000)[1]
    try await player.setFreewheel(true)
    let freewheeling = try await JackTestClient.run([player, recorder], frames: 20_000)[1]
    #expect(freewheeling.isComplete)
    #expect(firstDifference(freewheeling.audio[0], player.script.audio[0]) == nil)
    #expect(firstDifference(freewheeling.midi, player.script.midi) == nil)
    // A busy machine may make the live server skip frames; the take then reports them.
    if live.isComplete {
      #expect(firstDifference(live.audio[0], freewheeling.audio[0]) == nil)
      #expect(firstDifference(live.midi, freewheeling.midi) == nil)
    }
    try await player.setFreewheel(false)
    try await player.waitForCycles(2)
  }

  @Test func aTakeGoesOnWhenThePeriodChanges() async throws {
    // On a server that does not wait, a late player's former buffer is heard once more.
    let server = try await JackServer.start(period: 256, isSynchronous: true)
    let player = try JackTestClient(server, "player", audioOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 1)
    try await player.connect("player:audio_out_1", to: "recorder:audio_in_1")
    player.script.audio = [Signal.noise(frames: 48_000, seed: 4)]
    let takes = try await JackTestClient.run([player, recorder], frames: 48_000) {
      for period in [64, 1_024, 128] {
        let start = recorder.processedFrames
        _ = await eventually { recorder.processedFrames > start }
        try await player.setPeriod(period)
      }
    }
    // A change of the period stops the server for some frames. They are reported; the other frames
    // are exact.
    let (sent, received) = (player.script.audio[0], takes[1].audio[0])
    #expect(zip(sent, received).allSatisfy { $1 == 0 || $1 == $0 })
    #expect(received.contains { $0 != 0 })
  }

  @Test func connectionsAndPortsCanBeLookedUp() async throws {
    let server = try await JackServer.start()
    let client = try JackTestClient(server, "client", audioOutputs: 1)
    try await client.connect("client:audio_out_1", to: "system:playback_2")
    #expect(client.connections(of: "client:audio_out_1") == ["system:playback_2"])
    #expect(client.ports(matching: "^system:capture_").count == 2)
    try await client.disconnect("client:audio_out_1", from: "system:playback_2")
    #expect(client.connections(of: "client:audio_out_1").isEmpty)
    await #expect(throws: RigError.self) {
      try await client.connect("client:audio_out_1", to: "nobody:in")
    }
  }

  @Test func aTakeLongerThanTheCapacityIsRefused() async throws {
    let server = try await JackServer.start()
    let client = try JackTestClient(server, "client", audioInputs: 1, capacityFrames: 1_000)
    await #expect(throws: RigError.self) { try await client.run(frames: 1_001) }
    #expect(try await client.run(frames: 1_000).audio[0].count == 1_000)
  }
}
