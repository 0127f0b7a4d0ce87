// OSC and a session on a live server.

import CJack
import ControlSocket
import Foundation
import Remotes
import Session
import SessionTestSupport
import TestSupport
import Testing

@testable import OSC

@Suite(.serialized) struct OSCTests {
  private let rig: ControlRig
  private let font: URL

  init() throws {
    rig = try ControlRig()
    font = rig.directory.file("font.sf2")
    let zone = SoundFontMaker.Zone(
      sample: .constant(), releaseSeconds: 60, attenuationDecibels: 0, tracksKey: false)
    try SoundFontMaker(presets: [.init(name: "Endless", zones: [zone])]).write(to: font)
  }

  /// Starts a session that listens, and returns it with its URL.
  private func run(
    _ configuration: String, on server: JackServer, arguments: [String] = ["--osc", "0"]
  ) async throws -> (RunningAuricle, String) {
    let auricle = try await rig.run(configuration, on: server, arguments: arguments)
    let line = try await auricle.child.waitForLine(
      containing: "OSC: listening at ", in: .standardError)
    return (auricle, String(line.split(separator: " ").last ?? ""))
  }

  private func port(_ url: String) -> String {
    String(url.split(whereSeparator: { "/:".contains($0) }).last ?? "")
  }

  /// Sends a message with `oscsend`.
  private func oscsend(_ url: String, _ arguments: String...) async throws {
    let child = try ChildProcess(
      URL(fileURLWithPath: "/usr/bin/oscsend"), [url] + arguments, environment: [:])
    #expect(try await child.wait() == .exited(0), "\(arguments): \(child.transcript)")
  }

  @Test func oscsendSetsAndOscdumpReceives() async throws {
    let server = try await JackServer.start()
    let (auricle, url) = try await run(Configurations.filter(), on: server)
    // A port that was free a moment ago.
    let place = try #require(OSCEndpoint(address: "127.0.0.1", port: 0))
    var sockets = try OSCSockets(at: place, over: [.udp])
    let port = "\(sockets.place.port)"
    sockets.close()
    let dump = try ChildProcess(
      URL(fileURLWithPath: "/usr/bin/oscdump"), ["-L", port], environment: [:])
    // Subscribes again until `oscdump` listens.
    let isTold = Task { try await dump.waitForLine(containing: "/lowpass/cutoff f 900.0") }
    while !isTold.isCancelled, !dump.standardOutput.contains("900.0") {
      try await oscsend(url, "/auricle/subscribe", "is", port, "lowpass")
      try await Task.sleep(for: .milliseconds(20))
    }
    _ = try await isTold.value

    try await oscsend(url, "/lowpass/cutoff", "f", "777")
    _ = try await dump.waitForLine(containing: "/lowpass/cutoff f 777.0")
    try await oscsend(url, "/lowpass/cutoff", "s", "2 kHz")
    _ = try await dump.waitForLine(containing: "/lowpass/cutoff f 2000.0")
    try await oscsend(url, "/lowpass/cutoff", "if", "5000", "30")
    _ = try await dump.waitForLine(containing: "/lowpass/cutoff f 5000.0")
    // Changes by other clients are sent, too.
    _ = try await rig.ctl("set", "lowpass/resonance", "7")
    _ = try await dump.waitForLine(containing: "/lowpass/resonance f 7.0")
    try await oscsend(url, "/auricle/preset/lowpass", "s", "Warm")
    #expect(
      await eventually {
        let told = dump.standardOutput.split(separator: "\n").filter { $0.contains("/cutoff ") }
        return told.last?.contains(" 5000.0") == false
      })
    #expect(try await rig.ctl("list").contains("Warm"))
    dump.signal(SIGTERM)
    _ = try await dump.wait()
    try await auricle.expectEnd()
  }

  @Test func connectionsAreServedToo() async throws {
    let server = try await JackServer.start()
    let configuration = Configurations.filter() + "\n[osc]\nport = 1\ntransport = \"both\"\n"
    let (auricle, url) = try await run(configuration, on: server)
    #expect(auricle.child.standardError.contains("osc.udp://127.0.0.1:\(port(url))/ and"))
    #expect(url.hasPrefix("osc.tcp://127.0.0.1:"))
    try await oscsend(url, "/lowpass/cutoff", "f", "1234")
    #expect(
      try await eventually {
        try rig.connectedValue("lowpass/cutoff") == 1234
      })
    try await auricle.expectEnd()
  }

  @Test func aTakenPortEndsTheProgramBeforeAnythingHasBegun() async throws {
    let server = try await JackServer.start()
    let place = try #require(OSCEndpoint(address: "127.0.0.1", port: 0))
    var sockets = try OSCSockets(at: place, over: [.udp])
    defer { sockets.close() }
    let port = "\(sockets.place.port)"
    let file = try rig.directory.write(Configurations.filter(), to: "session.toml")
    let (status, child) = try await auricleCommand(
      ["run", file.path, "--server", server.name, "--osc", port])
    #expect(status == .exited(1))
    #expect(
      child.standardError.contains(
        "--osc: another program listens at 127.0.0.1:\(port) over UDP; choose another port"),
      "\(child.transcript)")
    #expect(child.standardOutput.isEmpty)
    let written = try rig.directory.write(
      Configurations.filter() + "\n[osc]\nport = \(port)\n", to: "written.toml")
    let (second, other) = try await auricleCommand(["run", written.path, "--server", server.name])
    #expect(second == .exited(1))
    #expect(
      other.standardError.contains("written.toml:12:8: another program"), "\(other.transcript)")
    let own = try rig.directory.write(
      Configurations.filter().replacing("lowpass", with: "auricle"), to: "own.toml")
    let (third, last) = try await auricleCommand(
      ["run", own.path, "--server", server.name, "--osc", "0"])
    #expect(third == .exited(2))
    #expect(last.standardError.contains("a unit has the id 'auricle'"), "\(last.transcript)")
  }

  @Test func theAddressOfTheCommandLineReplacesTheConfigurations() async throws {
    let server = try await JackServer.start()
    let text = Configurations.filter() + "\n[osc]\nport = 9\naddress = \"0.0.0.0\"\n"
    let auricle = try await rig.run(
      text, on: server, arguments: ["--osc", "0", "--osc-address", "127.0.0.1"])
    _ = try await auricle.child.waitForLine(
      containing: "OSC: listening at osc.udp://127.0.0.1:", in: .standardError)
    try await auricle.expectEnd()
    #expect(!auricle.child.standardError.contains("has no password"))

    let file = try rig.directory.write(Configurations.filter(), to: "session.toml")
    for (arguments, message) in [
      (["--osc-address", "127.0.0.1"], "--osc-address needs a port"),
      (["--osc", "0", "--osc-address", "here"], "--osc-address: 'here' is no numeric address"),
    ] {
      let (status, child) = try await auricleCommand(
        ["run", file.path, "--server", server.name] + arguments)
      #expect(status == .exited(2))
      #expect(child.standardError.contains(message), "\(child.transcript)")
    }
  }

  private func auricleCommand(
    _ arguments: [String]
  ) async throws -> (status: ChildProcess.ExitStatus, child: ChildProcess) {
    try await auricle(arguments, environment: rig.environment)
  }

  private func samplers(_ more: String = "") -> String {
    ["one", "two"].map {
      "[[unit]]\nid = \"\($0)\"\ncomponent = \"sampler\"\nsoundfont = \"\(font.path)\"\n"
    }.joined() + more
  }

  /// Starts two endless notes, and records both.
  private func players(
    _ server: JackServer
  ) async throws -> (player: JackTestClient, recorder: JackTestClient) {
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 2)
    for (number, unit) in ["one", "two"].enumerated() {
      try await player.connect("player:midi_out_1", to: "auricle:\(unit)_midi_in")
      try await recorder.connect("auricle:\(unit)_out_1", to: "recorder:audio_in_\(number + 1)")
    }
    player.script.midi = [TimedMIDI(frame: 0, bytes: [0x90, 60, 127])]
    let take = try await JackTestClient.run([player, recorder], frames: 24_000)[1]
    #expect(take.audio.allSatisfy { $0.last != 0 })
    player.script.midi = []
    return (player, recorder)
  }

  @Test func aBundleTakesEffectOnOneFrameAtItsTime() async throws {
    let server = try await JackServer.start(isSynchronous: true)
    let (auricle, url) = try await run(samplers(), on: server)
    let sender = try OSCTestSender(to: url)
    let (player, recorder) = try await players(server)
    // Notes end with the client that holds them.
    defer { withExtendedLifetime(player) {} }
    var due: UInt32 = 0
    let take = try await JackTestClient.run([recorder], frames: 96_000) {
      let now = SystemTime.unixMicroseconds
      let frame = jack_frame_time(recorder.handle)
      let messages = ["one", "two"].map { OSCMessage("/\($0)/gain", [.float(-20)]) }
      try sender.send(
        bundle: messages, at: OSCTimeTag(unixMicroseconds: now + 1_000_000))
      due = frame &+ 48_000
    }[0]
    // A cycle that a busy machine loses is silent; it may be the first one.
    let changes = take.audio.map { audio in
      let held = audio.first { $0 != 0 }
      return audio.firstIndex { $0 != held && $0 != 0 }
    }
    let change = try #require(changes[0])
    #expect(changes[1] == change)
    // The precision of two readings of JACK's clock on a busy machine.
    let distance = Int(
      Int32(bitPattern: UInt32(truncatingIfNeeded: take.firstFrame) &+ UInt32(change) &- due))
    #expect(abs(distance) < 4800, "\(distance) frames from its time")
    #expect(!(try await rig.ctl("status")).contains("OSC"))
    try await auricle.expectEnd()
  }

  /// Sends mistakes of all kinds as fast as possible, while a sound plays that nothing changes.
  @Test func floodsAndSpoiltPacketsDisturbNoSound() async throws {
    let server = try await JackServer.start()
    let (auricle, url) = try await run(
      samplers("[osc]\nport = 1\ntransport = \"both\"\n"), on: server)
    let udp = url.replacing("tcp", with: "udp")
    let sender = try OSCTestSender(to: udp)
    let (player, recorder) = try await players(server)
    // Notes end with the client that holds them.
    defer { withExtendedLifetime(player) {} }
    var random = SeededRandom(seed: 9)
    let good = OSCTestSender.bundle(
      [
        OSCMessage("/two/gain", [.float(-3)]), OSCMessage("/two/nix", [.float(.nan)]),
        OSCMessage("/auricle/subscribe", [.string("two")]),
        OSCMessage("/auricle/list", [.string("two")]),
        OSCMessage("/auricle/entry/two", [.int32(.max)]),
      ], at: OSCTimeTag(bits: random.next()))
    let take = try await JackTestClient.run([recorder], frames: 96_000) {
      for round in 0..<4000 {
        sender.send(bytes: mutate(good, using: &random, maximumEdits: 4))
        try sender.send(OSCMessage("/two/gain", [.float(Float(round % 20))]))
        try sender.send(OSCMessage("/two/pan", [.int32(Int32(round % 127))]))
        try sender.send(OSCMessage("/nix/p\(round)", [.int32(1)]))
        if round % 100 == 0 {
          // A connection that claims a false length.
          let liar = try ChildProcess(
            URL(fileURLWithPath: "/bin/bash"),
            ["-c", "printf '\\377\\377\\377\\374/one' >/dev/tcp/127.0.0.1/\(port(url))"],
            environment: [:])
          _ = try await liar.wait()
        }
      }
    }[0]
    // A cycle that a busy machine loses is silent.
    let sound = try #require(take.audio[0].first { $0 != 0 })
    #expect(take.audio[0].allSatisfy { $0 == sound || $0 == 0 })
    // Valid messages still have an effect.
    #expect(
      try await eventually {
        try sender.send(OSCMessage("/two/gain", [.float(-7)]))
        return try rig.connectedValue("two/gain") == -7
      })
    let status = try await rig.ctl("status")
    #expect(status.contains("OSC packets and connections that were refused as a whole, the first"))
    #expect(status.contains("OSC messages that were refused, the first from"))
    #expect(!status.contains("events that found their list full"))
    try await auricle.expectEnd()
    let lines = auricle.child.standardError.split(separator: "\n")
    #expect(lines.count { $0.contains("OSC") } < 16, "\(lines.count) lines")
  }
}

extension ControlRig {
  /// A parameter's value, read through the local socket.
  fileprivate func connectedValue(_ path: String) throws -> Float? {
    let session = try connect()
    try session.send(SessionWire.encode(.get(path: path)))
    guard case .parameter(let reading) = try SessionWire.answer(session.nextLine()) else {
      return nil
    }
    return reading.value
  }
}

private enum SystemTime {
  static var unixMicroseconds: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
  }
}
