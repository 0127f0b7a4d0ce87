// A mixer in a session that plays: inputs come and go.

import Foundation
import Session
import TestSupport
import Testing

@Suite(.serialized) struct MixerTests {
  private let rig: ControlRig
  private let source = """
    [client]
    name = "live"
    [[unit]]
    id = "one"
    component = "filter"
    [[unit]]
    id = "two"
    component = "filter"
    [[unit]]
    id = "desk"
    component = "mixer"
    inputs = 4
    ports = [1]
    parameters = { inputs.1.pan = -1.0 }
    [[connect]]
    from = "one"
    to = "desk:3"
    [[connect]]
    from = "desk"
    to = "other:nowhere"
    """

  init() throws { rig = try ControlRig() }

  @Test func inputsComeAndGoWhileAnotherOnePlaysOnToTheBit() async throws {
    let server = try await JackServer.start(period: 1024)
    let auricle = try await rig.run(source, on: server)
    let player = try JackTestClient(server, "player", audioOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 2)
    try await recorder.connect("player:audio_out_1", to: "live:desk_in_1_1")
    try await recorder.connect("live:desk_out_1", to: "recorder:audio_in_1")
    try await recorder.connect("live:desk_out_2", to: "recorder:audio_in_2")
    let noise = Signal.noise(frames: 480_000, seed: 1)
    player.script.audio = [noise]
    // Mono on the left side is as it was; what is connected meanwhile is silent.
    let takes = try await JackTestClient.run([player, recorder], frames: noise.count) {
      #expect(try await rig.ctl("connect", "two", "desk") == "")
      #expect(try await rig.refusal("connect", "two", "desk").contains("already"))
      #expect(try await rig.ctl("disconnect", "two", "desk") == "")
      #expect(try await rig.ctl("connect", "two", "desk:2") == "")
      #expect(try await rig.ctl("set", "desk/inputs.2.volume", "0.5") == "")
      #expect(try await rig.ctl("add", "three", "tone") == "")
      #expect(try await rig.ctl("connect", "three", "desk") == "")
      #expect(
        try await rig.refusal("connect", "three", "desk:5")
          == "auricle: unit 'desk' has no input bus 5; accepted: 1, 2, 3, 4\n")
      // The lowest numbers that are free behind the one with the port.
      let saved = rig.directory.file("saved.toml")
      _ = try await rig.ctl("save", saved.path)
      let text = try String(contentsOf: saved, encoding: .utf8)
      for connection in [("one", 3), ("two", 2), ("three", 4)] {
        #expect(
          text.contains("from = \"\(connection.0)\"\nto = \"desk:\(connection.1)\""), "\(text)")
      }
    }
    #expect(takes.allSatisfy { $0.isComplete })
    #expect(takes[1].audio[0] == noise)
    #expect(takes[1].audio[1].allSatisfy { $0 == 0 })
    #expect(try await auricle.end() == .exited(0))
  }
}
