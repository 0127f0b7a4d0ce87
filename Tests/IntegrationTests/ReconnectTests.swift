// A session outlives its server, and restores its connections.

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

  /// Waits until a verbose session has noted `count` connections, made by any client.
  private func waitUntilKnown(_ auricle: RunningAuricle, _ count: Int) async throws {
    _ = try await auricle.child.waitForLine(
      containing: "connections that are remembered: \(count)", in: .standardError)
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func theSessionGoesOnAtTheNextServerWithAllConnections(signal: Int32) async throws {
    let server = try await JackServer.start(period: 256)
    let auricle = try await RunningAuricle(
      Self.configuration, on: server, arguments: ["--verbose"])
    var player: JackTestClient? = try JackTestClient(server, "player", audioOutputs: 1)
    var recorder: JackTestClient? = try JackTestClient(server, "recorder", audioInputs: 1)
    // Made by hand, on either side.
    try await recorder!.connect("player:audio_out_1", to: "filter:lowpass_in_1")
    try await recorder!.connect("filter:lowpass_out_1", to: "recorder:audio_in_1")
    try await waitUntilKnown(auricle, 4)
    (player, recorder) = (nil, nil)

    try await server.kill(signal)
    var options = server.options
    (options.sampleRate, options.period) = (44_100, 64)
    try await server.restart(options)
    try await waitUntilBack(auricle, "filter 44100 Hz, 64 frames")
    // Other clients may appear later than the session, and in any order.
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
    try await auricle.expectEnd()
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
    try await auricle.expectEnd()
  }

  @Test func connectionsRemovedByHandAreNotRestored() async throws {
    let server = try await JackServer.start()
    let auricle = try await RunningAuricle(
      Configurations.filter(), on: server, arguments: ["--verbose"])
    let watcher = try JackTestClient(server, "watcher")
    var other: JackTestClient? = try JackTestClient(server, "other", audioInputs: 2)
    try await watcher.connect(Self.outputs[0], to: "other:audio_in_1")
    try await watcher.connect(Self.outputs[1], to: "other:audio_in_2")
    try await waitUntilKnown(auricle, 2)
    try await watcher.disconnect(Self.outputs[0], from: "other:audio_in_1")
    // The disconnection counts at the second look; there is one a second.
    _ = try await auricle.child.waitForLine(
      containing: "connections that are forgotten: 1", in: .standardError)
    other = nil
    #expect(await eventually { watcher.ports(matching: "^other:") == [] })
    other = try JackTestClient(server, "other", audioInputs: 2)
    #expect(
      await eventually { watcher.connections(of: Self.outputs[1]) == ["other:audio_in_2"] })
    #expect(watcher.connections(of: Self.outputs[0]) == [])
    withExtendedLifetime(other) {}
    try await auricle.expectEnd()
  }

  @Test func aClientThatConnectsItselfWhenItComesBackIsLeftAlone() async throws {
    let server = try await JackServer.start()
    let auricle = try await RunningAuricle(
      Configurations.filter(), on: server, arguments: ["--verbose"])
    let watcher = try JackTestClient(server, "watcher", audioOutputs: 2)
    var count = 0
    func leave(_ name: String) async throws {
      var other: JackTestClient? = try JackTestClient(server, name, audioInputs: 1)
      try await watcher.connect(Self.outputs[0], to: "\(name):audio_in_1")
      count += 1
      try await waitUntilKnown(auricle, count)
      other = nil
      #expect(await eventually { watcher.ports(matching: "^\(name):") == [] })
      _ = other
    }
    // On a loaded machine a client may connect itself too late. It shows nothing then, and another
    // client takes its place.
    var itself: JackTestClient
    var name: String
    repeat {
      name = "itself\(count)"
      try await leave(name)
      let opened = ContinuousClock.now
      itself = try JackTestClient(server, name, audioInputs: 1)
      try await itself.connect("watcher:audio_out_1", to: "\(name):audio_in_1")
      if ContinuousClock.now - opened < ConnectionMemory.patience { break }
    } while count < 10
    try await leave("not")
    // A later client that does not connect itself gets its connection again.
    let not = try JackTestClient(server, "not", audioInputs: 1)
    #expect(await eventually { watcher.connections(of: "not:audio_in_1") == [Self.outputs[0]] })
    #expect(watcher.connections(of: "\(name):audio_in_1") == ["watcher:audio_out_1"])
    withExtendedLifetime((itself, not)) {}
    try await auricle.expectEnd()
  }

  @Test func aConfiguredConnectionThatAClientCutsAsItOpensASessionIsMadeAgain() async throws {
    let server = try await JackServer.start()
    let auricle = try await RunningAuricle(
      Configurations.filter(
        connections: Configurations.connection(from: "lowpass", to: "other:audio_in_*")),
      on: server)
    let other = try JackTestClient(server, "other", audioInputs: 2)
    #expect(await eventually { other.connections(of: Self.outputs[0]) == ["other:audio_in_1"] })
    try await other.disconnect(Self.outputs[0], from: "other:audio_in_1")
    #expect(await eventually { other.connections(of: Self.outputs[0]) == ["other:audio_in_1"] })
    try await auricle.expectEnd()
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

@Suite struct ReturnedClientTests {
  private let one = PortLink(own: "out", outside: "other:in", isOutput: true)
  private let two = PortLink(own: "out", outside: "other:in_2", isOutput: true)
  private let start = ContinuousClock.now

  private func memory() -> ConnectionMemory {
    var memory = ConnectionMemory()
    memory.look(at: [one, two], mayForget: true) { _ in true }
    memory.note(arrived: ["other:in"], at: start)
    return memory
  }

  @Test func connectionsComeBackASecondAfterTheLastPort() {
    var memory = memory()
    #expect(memory.dueLinks(at: start + .milliseconds(900)) { _ in false } == [])
    memory.note(arrived: ["other:in_2"], at: start + .milliseconds(900))
    #expect(memory.dueLinks(at: start + .milliseconds(1800)) { _ in false } == [])
    #expect(memory.dueLinks(at: start + .milliseconds(1900)) { _ in false } == [one, two])
    #expect(memory.dueLinks(at: start + .seconds(9)) { _ in false } == [])
  }

  @Test func aClientThatConnectedOneOfItsPortsIsLeftAlone() {
    var memory = memory()
    memory.note(arrived: ["other:in_2", "another:in"], at: start)
    #expect(memory.dueLinks(at: start + .seconds(1)) { $0 == "other:in_2" } == [])
  }

  @Test func nothingIsForgottenWhileAClientHasItsTime() {
    var memory = memory()
    for _ in 0..<3 { memory.look(at: [two], mayForget: true) { _ in true } }
    #expect(memory.dueLinks(at: start + .seconds(1)) { _ in false } == [one])
  }

  @Test func aRefusedConnectionIsTriedAgainTenTimesInAll() {
    var memory = memory()
    var attempts = 0
    for second in 1...30 {
      // A connection made by a client after the first attempt is no reason to give up.
      for link in memory.dueLinks(at: start + .seconds(second), isConnected: { _ in second > 1 }) {
        attempts += 1
        memory.noteRefusal(of: link, at: start + .seconds(second))
      }
    }
    #expect(attempts == 10)
  }
}

@Suite struct ConnectionWatchTests {
  private let pair = ["ours:out", "other:in"]
  private let start = ContinuousClock.now

  private func look(
    _ watch: inout ConnectionWatch, _ isMissing: Bool, _ seconds: Double
  ) -> ConnectionWatch.Result {
    watch.look(at: isMissing ? [pair] : [], at: start + .seconds(seconds))
  }

  @Test(arguments: [0, 0.02, 0.2, 3, 9])
  func aCutSoonAfterThePortCameIsUndone(seconds: Double) {
    var watch = ConnectionWatch()
    watch.note(arrived: "other:in", at: start)
    #expect(look(&watch, true, seconds) == .init())
    #expect(look(&watch, true, seconds + 1.1) == .init(again: [pair]))
    #expect(look(&watch, false, seconds + 2) == .init())
  }

  @Test func aConnectionWaitsUntilTheClientIsQuiet() {
    var watch = ConnectionWatch()
    watch.note(arrived: "other:in", at: start)
    for second in 0..<4 {
      watch.note(arrived: "other:in_\(second)", at: start + .seconds(Double(second) + 0.5))
      #expect(look(&watch, true, Double(second) + 1) == .init())
    }
    #expect(look(&watch, true, 5) == .init(again: [pair]))
  }

  @Test func aCutOfAClientThatOpensALargeSessionForLongIsUndone() {
    var watch = ConnectionWatch()
    watch.note(arrived: "other:in", at: start)
    for second in 1..<30 {
      #expect(look(&watch, true, Double(second)) == .init())
      watch.note(arrived: "other:in_\(second)", at: start + .seconds(Double(second) + 0.5))
    }
    #expect(look(&watch, true, 30) == .init())
    #expect(look(&watch, true, 31) == .init(again: [pair]))
  }

  @Test func aLaterCutStaysAndIsReportedOnce() {
    var watch = ConnectionWatch()
    watch.note(arrived: "other:in", at: start)
    #expect(look(&watch, false, 10) == .init())
    #expect(look(&watch, true, 11) == .init())
    #expect(look(&watch, true, 12) == .init(cut: [pair]))
    for second in 13..<20 { #expect(look(&watch, true, Double(second)) == .init()) }
    // A connection that was restored and is cut again is reported again.
    #expect(look(&watch, false, 20) == .init())
    #expect(look(&watch, true, 21) == .init())
    #expect(look(&watch, true, 22) == .init(cut: [pair]))
  }

  @Test func aClientThatCutsAgainAndAgainHasItsWayInTheEnd() {
    var watch = ConnectionWatch()
    watch.note(arrived: "other:in", at: start)
    var again = 0
    var cut = 0
    for second in 0..<60 {
      let result = look(&watch, true, Double(second))
      again += result.again.count
      cut += result.cut.count
    }
    #expect(again == 5)
    #expect(cut == 1)
  }

  @Test func aPortThatEndsAtOnceIsNoCut() {
    var watch = ConnectionWatch()
    #expect(look(&watch, true, 0) == .init())
    #expect(look(&watch, false, 1) == .init())
  }
}
