// Names of ports in other programs: aliases, former names, and JACK's metadata.

import CJack
import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct MetadataTests {
  private static func uri(_ key: String) -> String { "http://jackaudio.org/metadata/\(key)" }

  /// A sampler with the sounds "Sine" and "Bell", and a gate.
  private func session(_ directory: TemporaryDirectory) throws -> String {
    let zone = SoundFontMaker.Zone(sample: .sine(periodFrames: 100))
    let font = try SoundFontMaker(presets: [
      .init(program: 0, name: "Sine", zones: [zone]),
      .init(program: 1, name: "Bell", zones: [zone]),
    ]).write(to: directory.file("two.sf2"))
    return """
      [client]
      name = "strip"
      [[unit]]
      id = "piano"
      component = "sampler"
      soundfont = "\(font.path)"
      [[unit]]
      id = "door"
      component = "gate"
      """
  }

  @Test func aliasesAreTheFormerNameAndTheDisplayNameWhichFollowsTheSound() async throws {
    let rig = try ControlRig()
    let server = try await JackServer.start()
    let player = try JackTestClient(server, "player", audioOutputs: 1)
    let auricle = try await rig.run(try session(rig.directory), on: server)
    #expect(
      player.aliases(of: "strip:door_side_chain_1") == [
        "strip:door_in_3", "strip:door Side-chain L",
      ])
    #expect(player.aliases(of: "strip:piano_out_1") == ["strip:piano_out_1", "strip:piano Sine L"])
    // JACK takes a former name as the port.
    try await player.connect("player:audio_out_1", to: "strip:door_in_3")
    #expect(player.connections(of: "strip:door_side_chain_1") == ["player:audio_out_1"])
    _ = try await rig.ctl("sound", "piano", "Bell")
    #expect(
      await eventually {
        player.aliases(of: "strip:piano_out_1") == ["strip:piano_out_1", "strip:piano Bell L"]
      }, "\(player.aliases(of: "strip:piano_out_1"))")
    // Nothing is written to jackd's metadata without the option.
    #expect(player.property(Self.uri("order"), of: "strip:piano_out_1") == nil)
    try await auricle.expectEnd()
  }

  @Test func anotherSessionConnectsToASideChainByItsFormerName() async throws {
    let directory = try TemporaryDirectory()
    let server = try await JackServer.start()
    let witness = try JackTestClient(server, "witness")
    let first = try await RunningAuricle(try session(directory), on: server)
    let second = try await RunningAuricle(
      Configurations.filter(
        connections: Configurations.connection(from: "lowpass", to: "strip:door_in_3")),
      on: server)
    #expect(
      witness.connections(of: "strip:door_side_chain_1").sorted() == [
        "filter:lowpass_out_1", "filter:lowpass_out_2",
      ])
    try await second.expectEnd()
    try await first.expectEnd()
  }

  @Test func metadataFollowsTheSessionAndLeavesValuesOfOthers() async throws {
    let rig = try ControlRig()
    let server = try await JackServer.start()
    let player = try JackTestClient(server, "player")
    let auricle = try await rig.run(
      try session(rig.directory), on: server, arguments: ["--metadata"])
    func property(_ key: String, _ port: String) -> String? {
      player.property(Self.uri(key), of: "strip:\(port)")
    }
    // The ports are written in their order; MIDI outputs come last, the gate's outputs before.
    #expect(await eventually { property("signal-type", "door_out_2") == "AUDIO" })
    #expect(property("pretty-name", "piano_out_1") == "piano Sine L")
    #expect(property("pretty-name", "door_side_chain_2") == "door Side-chain R")
    #expect(property("port-group", "door_side_chain_1") == "door in 2")
    #expect(property("port-group", "door_side_chain_2") == "door in 2")
    #expect(property("pretty-name", "piano_midi_in") == "piano MIDI In")
    #expect(property("signal-type", "piano_midi_in") == nil)
    let orders = ["piano_midi_in", "piano_out_1", "piano_out_2", "door_in_1", "door_out_2"].map {
      property("order", $0).flatMap { Int($0) } ?? -1
    }
    #expect(orders == orders.sorted() && orders[0] >= 0 && Set(orders).count == 5)
    #expect(player.clientProperty(Self.uri("icon-name"), of: "strip") == "applications-multimedia")

    // Another program's name stays, and its neighbour follows the sound.
    player.setProperty(Self.uri("pretty-name"), "Mine", of: "strip:piano_out_1")
    _ = try await rig.ctl("sound", "piano", "Bell")
    #expect(await eventually { property("pretty-name", "piano_out_2") == "piano Bell R" })
    #expect(property("pretty-name", "piano_out_1") == "Mine")

    // A removed unit takes its properties along, and the others keep theirs.
    let port = player.subject(of: "strip:piano_out_1")
    _ = try await rig.ctl("remove", "piano")
    #expect(await eventually { player.ports(matching: "piano_out").isEmpty })
    #expect(await eventually { player.property(Self.uri("pretty-name"), of: port) == nil })
    #expect(property("pretty-name", "door_out_1") == "door Output L")
    let others = ["door_in_1", "door_side_chain_1", "door_out_2"].map {
      player.subject(of: "strip:\($0)")
    }
    try await auricle.expectEnd()
    for subject in others {
      #expect(await eventually { player.property(Self.uri("order"), of: subject) == nil })
    }
  }

  @Test func aWriterThatHangsHoldsUpNothing() async throws {
    let rig = try ControlRig()
    let server = try await JackServer.start()
    let player = try JackTestClient(server, "player")
    let auricle = try await rig.run(
      try session(rig.directory), on: server, arguments: ["--metadata"])
    #expect(
      await eventually {
        player.property(Self.uri("signal-type"), of: "strip:door_out_2") == "AUDIO"
      })
    let writers = children(of: auricle.child.processIdentifier, running: "auricle")
    let writer = try #require(writers.first)
    kill(writer, SIGSTOP)
    defer { kill(writer, SIGKILL) }
    _ = try await rig.ctl("remove", "piano")
    _ = try await auricle.child.waitForLine(
      containing: "JACK's metadata is not written any more", in: .standardError)
    #expect(await eventually { player.ports(matching: "piano_out").isEmpty })
    #expect(try await rig.ctl("status").contains("door"))
    try await auricle.expectEnd()
  }
}

extension JackTestClient {
  /// The aliases of a port, by its full name.
  fileprivate func aliases(of port: String) -> [String] {
    guard let port = jack_port_by_name(handle, port) else { return [] }
    let size = Int(jack_port_name_size())
    let buffers = (0..<2).map { _ in UnsafeMutablePointer<CChar>.allocate(capacity: size) }
    defer { for buffer in buffers { buffer.deallocate() } }
    let count = Int(auriclePortAliases(port, buffers[0], buffers[1]))
    return buffers.prefix(max(0, count)).map { String(cString: $0) }
  }

  fileprivate func subject(of port: String) -> jack_uuid_t {
    jack_port_by_name(handle, port).map { jack_port_uuid($0) } ?? 0
  }

  fileprivate func property(_ key: String, of port: String) -> String? {
    property(key, of: subject(of: port))
  }

  fileprivate func clientProperty(_ key: String, of client: String) -> String? {
    guard let text = jack_get_uuid_for_client_name(handle, client) else { return nil }
    defer { jack_free(text) }
    var subject = jack_uuid_t()
    return jack_uuid_parse(text, &subject) == 0 ? property(key, of: subject) : nil
  }

  fileprivate func property(_ key: String, of subject: jack_uuid_t) -> String? {
    var (value, type): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?) = (nil, nil)
    guard jack_get_property(subject, key, &value, &type) == 0 else { return nil }
    defer {
      jack_free(value)
      jack_free(type)
    }
    return value.map { String(cString: $0) }
  }

  fileprivate func setProperty(_ key: String, _ value: String, of port: String) {
    #expect(jack_set_property(handle, subject(of: port), key, value, nil) == 0)
  }
}
