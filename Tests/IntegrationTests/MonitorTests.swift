// `auricle monitor`: exact frames, late ports, floods, and its end.

import Foundation
import Remotes
import TestSupport
import Testing

@Suite(.serialized) struct MonitorTests {
  private func start(_ arguments: [String], on server: String) throws -> ChildProcess {
    try ChildProcess(
      builtProduct("auricle"), ["monitor", "--server", server, "--no-reconnect"] + arguments)
  }

  private struct Shown: Decodable {
    let frame: Int
    let port: String
    let bytes: [UInt8]
  }

  private func shown(_ child: ChildProcess) throws -> [Shown] {
    try child.standardOutput.split(separator: "\n").map {
      try JSONDecoder().decode(Shown.self, from: Data($0.utf8))
    }
  }

  private func expectEnd(_ child: ChildProcess, _ signal: Int32) async throws {
    child.signal(signal)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
  }

  @Test(arguments: [(64, SIGINT), (1024, SIGTERM)])
  func everyEventIsShownOnItsFrame(period: Int, signal: Int32) async throws {
    let server = try await JackServer.start(period: period, isSynchronous: true)
    let player = try JackTestClient(server, "player", midiOutputs: 2)
    let huge = [0xF0] + [UInt8](repeating: 3, count: 4000) + [0xF7]
    player.script.midi = [
      TimedMIDI(frame: 10_000, bytes: [0x90, 60, 100]),
      TimedMIDI(frame: 10_001, bytes: [0xB1, 64, 127], port: 1),
      TimedMIDI(frame: 10_001, bytes: [0xFE]),
      TimedMIDI(frame: 10_240, bytes: [0xE0, 0, 0x40]),
      // Running status, and a clock within a message.
      TimedMIDI(frame: 12_345, bytes: [0xC0, 1]),
      TimedMIDI(frame: 12_346, bytes: [2]),
      TimedMIDI(frame: 12_400, bytes: [0x90, 61, 0xF8, 1]),
      // A truncated message, and data without status.
      TimedMIDI(frame: 13_000, bytes: [0x90, 62]),
      TimedMIDI(frame: 13_001, bytes: [0xF6]),
      TimedMIDI(frame: 13_002, bytes: [1, 2, 3]),
      TimedMIDI(frame: 20_479, bytes: huge, port: 1),
      TimedMIDI(frame: 30_000, bytes: [0x80, 60, 0]),
    ]
    let child = try start(
      ["player:midi_out_1", "player:midi_out_2", "--json", "--all"], on: server.name)
    for port in 1...2 {
      _ = try await child.waitForLine(
        containing: "listens to player:midi_out_\(port)", in: .standardError)
    }
    let take = try await JackTestClient.run([player], frames: 40_000)[0]
    #expect(take.isComplete)
    _ = try await child.waitForLine(containing: "[128,60,0]")
    try await expectEnd(child, signal)
    let expected: [(frame: Int, port: Int, bytes: [UInt8])] = [
      (10_000, 1, [0x90, 60, 100]), (10_001, 1, [0xFE]), (10_001, 2, [0xB1, 64, 127]),
      (10_240, 1, [0xE0, 0, 0x40]), (12_345, 1, [0xC0, 1]), (12_346, 1, [0xC0, 2]),
      (12_400, 1, [0xF8]), (12_400, 1, [0x90, 61, 1]), (13_001, 1, [0xF6]),
      (20_479, 2, Array(huge.prefix(20))), (30_000, 1, [0x80, 60, 0]),
    ]
    let shown = try shown(child)
    let first = try #require(shown.first, "\(child.transcript)").frame
    #expect(shown.map { $0.frame - first + 10_000 } == expected.map(\.frame))
    #expect(shown.map(\.port) == expected.map { "player:midi_out_\($0.port)" })
    #expect(shown.map(\.bytes) == expected.map(\.bytes))
    // The bytes left out are reported.
    #expect(child.standardError.contains("4 more, 4 in all"), "\(child.standardError)")
  }

  @Test func portsThatComeLaterAreConnectedAndTheMissingOnesNamed() async throws {
    let server = try await JackServer.start()
    let other = try JackTestClient(server, "Keys", midiOutputs: 1)
    let child = try start(["Kays:midi_out_1", "physical:midi", "late:*"], on: server.name)
    _ = try await child.waitForLine(
      containing: "monitor: there is no such port as 'Kays:midi_out_1'; nearest: 'Keys:midi_out_1'",
      in: .standardError)
    _ = try await child.waitForLine(containing: "waits for 'physical:midi'", in: .standardError)
    _ = try await child.waitForLine(containing: "waits for 'late:*'", in: .standardError)
    do {
      let late = try JackTestClient(server, "late", midiOutputs: 1)
      _ = try await child.waitForLine(
        containing: "listens to late:midi_out_1", in: .standardError)
      late.script.midi = [TimedMIDI(frame: 100, bytes: [0x90, 60, 100])]
      _ = try await JackTestClient.run([late], frames: 4800)
      let line = try await child.waitForLine(containing: "note on C4 (60) velocity 100")
      #expect(line.contains("  late:*           channel 1   note on"), "\(line)")
    }
    _ = try await child.waitForLine(
      containing: "late:midi_out_1 is disconnected", in: .standardError)
    try await expectEnd(child, SIGTERM)
    withExtendedLifetime(other) {}
  }

  @Test func aSessionsPortIsMonitored() async throws {
    let server = try await JackServer.start()
    let session = try await RunningAuricle(
      """
      [client]
      name = "stage"
      [[unit]]
      id = "up"
      component = "midi"
      midi = [ { stage = "transpose", semitones = 12 } ]
      [[connect]]
      from = "player:midi_out_1"
      to = "up"
      [[connect]]
      from = "up"
      to = "nobody:in"
      """, on: server)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    #expect(await eventually { player.connections(of: "player:midi_out_1").count == 1 })
    let child = try start(["stage:*", "--only", "note", "--channel", "2"], on: server.name)
    _ = try await child.waitForLine(containing: "listens to stage:up_midi_out", in: .standardError)
    player.script.midi = [
      TimedMIDI(frame: 100, bytes: [0x90, 60, 100]), TimedMIDI(frame: 200, bytes: [0xB1, 1, 100]),
      TimedMIDI(frame: 300, bytes: [0x91, 60, 100]), TimedMIDI(frame: 400, bytes: [0x81, 60, 0]),
    ]
    _ = try await JackTestClient.run([player], frames: 4800)
    _ = try await child.waitForLine(containing: "channel 2   note off C5 (72)")
    try await expectEnd(child, SIGINT)
    #expect(child.standardOutput.split(separator: "\n").count == 2, "\(child.transcript)")
    try await session.expectEnd()
  }

  @Test func whatAUnitReceivesAndSendsIsShown() async throws {
    let server = try await JackServer.start()
    let rig = try ControlRig()
    let auricle = try await rig.run(
      """
      [[unit]]
      id = "up"
      component = "midi"
      midi = [ { stage = "transpose", semitones = 12 } ]
      """, on: server)
    func start(_ arguments: String...) throws -> ChildProcess {
      try ChildProcess(
        builtProduct("auricle"), ["monitor"] + arguments, environment: rig.environment)
    }
    let words = try start("--unit", "up", "--only", "note")
    let json = try start("--unit", "*", "--json")
    for child in [words, json] {
      _ = try await child.waitForLine(containing: "listens to ", in: .standardError)
    }
    for message in ["[176,64,1]", "[145,60,100]"] {
      let client = try rig.connect()
      try client.send(Array(#"{"command":"midi","unit":"up","bytes":\#(message)}"#.utf8))
      #expect(try SessionWire.answer(client.nextLine()) == .done)
    }
    _ = try await words.waitForLine(
      containing: "  up received  channel 2   note on C4 (60) velocity 100")
    _ = try await words.waitForLine(
      containing: "  up sent      channel 2   note on C5 (72) velocity 100")
    #expect(!words.standardOutput.contains("controller"))
    let line = try await json.waitForLine(containing: "[145,72,100]")
    #expect(line.contains(#""unit":"up""#) && line.contains(#""isSent":true"#), "\(line)")
    words.signal(SIGINT)
    #expect(try await words.wait() == .signalled(SIGINT))
    let refused = try start("--unit", "uo")
    #expect(try await refused.wait() == .exited(1))
    #expect(refused.standardError.contains("did you mean 'up'?"), "\(refused.transcript)")
    let both = try start("a:b", "--unit", "up")
    #expect(try await both.wait() == .exited(2), "\(both.transcript)")
    #expect(both.standardError.contains("give PORT or --unit, not both"))
    try await auricle.expectEnd()
    #expect(try await json.wait() == .exited(1))
  }

  @Test func aFloodIsShownOrCounted() async throws {
    let server = try await JackServer.start(period: 1024, isSynchronous: true)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    // About as many as JACK's buffer holds, for a second.
    let perCycle = 1500
    player.script.midi = (0..<48).flatMap { cycle in
      (0..<perCycle).map {
        TimedMIDI(frame: 2048 + cycle * 1024 + $0 * 1024 / perCycle, bytes: [0xB0, 1, 1])
      }
    }
    let child = try start(["player:midi_out_1"], on: server.name)
    _ = try await child.waitForLine(containing: "listens to", in: .standardError)
    let take = try await JackTestClient.run([player], frames: 60_000)[0]
    #expect(take.isComplete && take.refusedEvents == 0)
    var count = 0
    let isAll = await eventually {
      let lost = child.standardError.matches(of: /not shown, because .*, (\d+) in all/)
      count =
        child.standardOutput.utf8.count { $0 == UInt8(ascii: "\n") }
        + (lost.last.flatMap { Int($0.output.1) } ?? 0)
      return count == 48 * perCycle
    }
    #expect(isAll, "\(count) of \(48 * perCycle)\n\(child.standardError)")
    try await expectEnd(child, SIGTERM)
  }

  @Test func aReaderThatStopsReadingHoldsUpNoEnd() async throws {
    let server = try await JackServer.start()
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    player.script.midi = (0..<4000).map { TimedMIDI(frame: 10 * $0, bytes: [0xB0, 1, 1]) }
    let directory = try TemporaryDirectory()
    let fifo = try directory.makePipe("events")
    let reader = open(fifo.path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let child = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"),
      [
        "-c",
        "exec \"$0\" monitor player:midi_out_1 --no-reconnect --server \(server.name) >\(fifo.path)",
        try builtProduct("auricle").path,
      ])
    _ = try await child.waitForLine(containing: "listens to", in: .standardError)
    _ = try await JackTestClient.run([player], frames: 48_000)
    try await expectEnd(child, SIGTERM)
    #expect(child.standardError.contains(" lines found no reader"), "\(child.standardError)")
  }

  @Test func aReaderThatHasGoneEndsIt() async throws {
    let server = try await JackServer.start()
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    player.script.midi = (0..<40).map { TimedMIDI(frame: 1000 * $0, bytes: [0x90, 60, 1]) }
    let child = try ChildProcess(
      URL(fileURLWithPath: "/bin/bash"),
      [
        "-c",
        "\"$0\" monitor player:midi_out_1 --no-reconnect --server \(server.name) | head -1; exit ${PIPESTATUS[0]}",
        try builtProduct("auricle").path,
      ])
    _ = try await child.waitForLine(containing: "listens to", in: .standardError)
    _ = try await JackTestClient.run([player], frames: 48_000)
    #expect(try await child.wait() == .exited(1), "\(child.transcript)")
    #expect(child.standardError.contains("standard output cannot be written: Broken pipe"))
    #expect(child.standardOutput.contains("note on C4 (60) velocity 1\n"))
  }

  @Test func withItsServerItEnds() async throws {
    let server = try await JackServer.start()
    let child = try start([], on: server.name)
    _ = try await child.waitForLine(containing: "waits for 'physical:midi'", in: .standardError)
    try await server.stop()
    #expect(try await child.wait() == .exited(1), "\(child.transcript)")
    #expect(child.standardError.contains("the JACK server has shut down"))
  }

  @Test(
    arguments: [
      (["keys"], 2, "monitor: 'keys' names no MIDI port; accepted: 'physical:midi'"),
      (["--channel", "17"], 2, "--channel takes 1 to 16"),
      (["--only", "noise"], 2, "note"), (Array(repeating: "a:b", count: 33), 2, "32 times"),
      ([], 1, absentServer),
    ] as [([String], Int32, String)])
  func impossibleMonitorsAreReported(_ arguments: [String], status: Int32, text: String)
    async throws
  {
    let child = try start(arguments, on: absentServer)
    #expect(try await child.wait() == .exited(status), "\(child.transcript)")
    #expect(child.standardError.contains(text), "\(child.standardError)")
  }
}
