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
    try await auricle.expectEnd()
  }

  /// `mix` names what a source is mixed with wherever that is; it stays with the source.
  @Test func whatASourceIsMixedWithTravelsWithIt() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(source, on: server)
    func value(_ path: String) async throws -> String {
      try await rig.ctl("get", path).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    // Through an effect.
    #expect(try await rig.ctl("add", "singer", "tone") == "")
    #expect(try await rig.ctl("connect", "singer", "two") == "")
    #expect(try await rig.ctl("connect", "two", "desk:2") == "")
    #expect(try await rig.ctl("set", "singer/mix/volume", "0.5") == "")
    #expect(try await rig.ctl("set", "singer/mix/pan", "1") == "")
    #expect(try await value("desk/inputs/2/volume").hasPrefix("0.5"))
    #expect(
      try await rig.refusal("get", "desk/mix/volume")
        == "auricle: 'desk' is no source that a mixer hears; accepted: one, singer\n")
    #expect(try await rig.refusal("set", "singer/mix/echo", "1").contains("desk/inputs/"))
    // To another mixer, one that is made with it.
    #expect(try await rig.ctl("disconnect", "two", "desk:2") == "")
    #expect(try await rig.ctl("set", "desk/inputs/2/volume", "0.125") == "")
    #expect(try await rig.ctl("add", "other", "mixer") == "")
    #expect(try await rig.ctl("connect", "two", "other:3") == "")
    #expect(try await value("other/inputs/3/volume").hasPrefix("0.5"))
    #expect(try await value("singer/mix/pan").hasPrefix("1"))
    #expect(try await value("desk/inputs/2/volume").hasPrefix("0.125"))
    // And back, together with what it was connected to meanwhile.
    #expect(try await rig.ctl("set", "singer/mix/volume", "0.75") == "")
    #expect(
      try await rig.ctl(
        "together", "disconnect", "two", "other:3", ",", "connect", "two", "desk:4") == "")
    #expect(try await value("desk/inputs/4/volume").hasPrefix("0.75"))
    // A 3D mixer keeps a pan without effect.
    #expect(try await rig.ctl("add", "scene", "environment") == "")
    #expect(
      try await rig.ctl(
        "together", "disconnect", "two", "desk:4", ",", "connect", "singer", "scene") == "")
    #expect(try await value("scene/inputs/1/volume").hasPrefix("0.75"))
    #expect(try await value("scene/inputs/1/pan").hasPrefix("1"))
    try await auricle.expectEnd()
  }
}
