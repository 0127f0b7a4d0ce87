// Status of a session's units, as reported by `status`.

import ControlSocket
import Effects
import Foundation
import Graph
import GraphRender
import Logging
import Remotes
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite(.serialized) struct UnitStatusTests {
  private func status(_ session: ControlClient) throws -> SessionStatus {
    try session.send(SessionWire.encode(.status))
    guard case .status(let status) = try SessionWire.answer(try session.nextLine()) else {
      throw SessionCommandError("no status")
    }
    return status
  }

  @Test func unitsTellTheirLoadVoicesEventsPeaksAndConnections() async throws {
    let rig = try ControlRig()
    let server = try await JackServer.start()
    let directory = try TemporaryDirectory()
    let zone = SoundFontMaker.Zone(sample: .sine(periodFrames: 100))
    let font = try SoundFontMaker(presets: [.init(program: 0, name: "Sine", zones: [zone])])
      .write(to: directory.file("test.sf2"))
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let hearer = try JackTestClient(server, "hearer", audioInputs: 2)
    let configuration = """
      [client]
      name = "music"
      [[unit]]
      id = "piano"
      component = "sampler"
      soundfont = "\(font.path)"
      [[unit]]
      id = "lowpass"
      component = "filter"
      [[connect]]
      from = "player:midi_out_1"
      to = "piano"
      [[connect]]
      from = "piano"
      to = "hearer:audio_in_*"
      [[connect]]
      from = "piano"
      to = "lowpass"
      """
    let auricle = try await rig.run(configuration, on: server)
    try await hearer.waitForCycles(2)
    let session = try rig.connect()

    let first = try status(session)
    #expect(first.units == 2)
    let units = try #require(first.unitStatus)
    #expect(units.map(\.id) == ["piano", "lowpass"])
    #expect(units.map(\.component) == ["sampler", "filter"])
    #expect(units.map(\.voices) == [0, nil])
    #expect(units.map(\.receivers) == [["lowpass"], []])
    #expect(units.allSatisfy { $0.load == nil && $0.worstLoad == nil && $0.eventsTaken == nil })
    #expect(
      units[0].ports.map(\.name) == ["piano_midi_in", "piano_out_1", "piano_out_2"])
    #expect(
      units[0].ports.map(\.connections) == [
        ["player:midi_out_1"], ["hearer:audio_in_1"], ["hearer:audio_in_2"],
      ])
    #expect(units[1].ports.filter { !$0.isInput }.allSatisfy { $0.connections.isEmpty })

    player.script.midi = [TimedMIDI(frame: 100, bytes: [0x90, 60, 127])]
    _ = try await JackTestClient.run([player], frames: 4800)
    // The sound lasts as long as the key is held.
    let heard = try await eventually(within: .seconds(30)) {
      let units = try status(session).unitStatus ?? []
      return units.count == 2 && units[0].voices == 1 && (units[0].load ?? 0) > 0
        && (units[0].ports[1].peak ?? -200) > -60
    }
    #expect(heard)
    let now = try #require(try status(session).unitStatus)
    #expect(now.allSatisfy { ($0.load ?? 0) > 0 && $0.worstLoad! >= $0.load! })
    #expect(now[0].ports.filter(\.isInput).allSatisfy { $0.peak == nil })
    // Inner busses have levels, too.
    let (piano, lowpass) = (try #require(now[0].meters), try #require(now[1].meters))
    #expect(piano.inputs.isEmpty && piano.outputs.map(\.count) == [2])
    #expect(piano.outputs[0] == now[0].ports.dropFirst().map(\.peak))
    #expect(lowpass.inputs.map(\.count) == [2] && lowpass.inputs[0].allSatisfy { $0 > -60 })
    #expect(piano.latency == 0 && piano.reduction == nil)
    #expect(now[1].ports.map(\.name) == ["lowpass_out_1", "lowpass_out_2"])
    #expect(now[1].ports.allSatisfy { ($0.peak ?? -200) > -80 })

    // The command asks twice.
    let text = try await rig.ctl("status")
    #expect(text.contains("piano"))
    #expect(text.contains("1 voices") && text.contains(" at most"), "\(text)")
    try await auricle.expectEnd()
  }

  @Test func noticesAreInTheStatus() async throws {
    let rig = try ControlRig()
    let server = try await JackServer.start()
    let auricle = try await rig.run(
      Configurations.filter(
        connections: Configurations.connection(from: "lowpass", to: "nobody:in")), on: server)
    let session = try rig.connect()
    let notices = try #require(try status(session).notices)
    let told = notices.first { $0.text.contains("nobody:in") }
    #expect(told?.level == "notice", "\(notices)")
    #expect(abs((told?.time ?? 0) - Date().timeIntervalSince1970) < 3600)
    try await auricle.expectEnd()
  }

  @Test func onlyTheLastNoticesAreKeptAndNoneIsLong() {
    let notices = RecentNotices()
    for number in 0..<100 { notices.add(.warning, "\(number)") }
    #expect(notices.lines.map(\.text) == (68..<100).map { "\($0)" })
    notices.add(.error, String(repeating: "x", count: 100_000))
    #expect(notices.lines.last?.text.count == 500)
  }

  @Test func logMessagesAreKeptFromNoticeUp() {
    let notices = RecentNotices()
    var log = notices.recording(Logger(label: "test") { _ in SilentHandler() })
    log.logLevel = .trace
    log.info("not this")
    log.notice("this")
    log.warning("and this")
    #expect(notices.lines.map(\.text) == ["this", "and this"])
    #expect(notices.lines.map(\.level) == ["notice", "warning"])
  }

  @Test func aSessionMeasuresOnlyWhileSomebodyLooks() throws {
    func compile() throws -> CompiledGraph {
      let graph = Graph()
      try graph.add(try FilterUnit(), id: "filter")
      return try graph.compile(CompileOptions(sampleRate: 48_000, isOffline: true))
    }
    let compiled = try compile()
    let meters = SessionMeters()
    let start = ContinuousClock.now
    meters.look(at: compiled, now: start)
    #expect(!compiled.schedule.meters.isOn)
    #expect(meters.measurement(of: compiled, now: start) == nil)
    #expect(compiled.schedule.meters.isOn)

    func cycle() {
      let cycle = RenderCycle(frame: 0, frameCount: 64)
      compiled.schedule.begin(cycle)
      compiled.schedule.render(cycle)
      compiled.schedule.end()
    }
    cycle()
    meters.look(at: compiled, now: start + .milliseconds(500))
    cycle()
    let both = meters.measurement(of: compiled, now: start + .milliseconds(1000))
    #expect(both?.frames == 128)
    // The first measurement is older than a second by then.
    let second = meters.measurement(of: compiled, now: start + .milliseconds(1700))
    #expect(second?.frames == 64)

    meters.look(at: compiled, now: start + .milliseconds(4600))
    #expect(compiled.schedule.meters.isOn)
    meters.look(at: compiled, now: start + .milliseconds(4800))
    #expect(!compiled.schedule.meters.isOn)
    // Another graph starts without a measurement.
    let next = try compile()
    #expect(meters.measurement(of: next, now: start + .milliseconds(4900)) == nil)
    #expect(next.schedule.meters.isOn)
  }

  @Test func levelsAreFiniteDecibels() {
    #expect(UnitMeters.decibels(0) == -200)
    #expect(UnitMeters.decibels(1) == 0)
    #expect(abs(UnitMeters.decibels(0.5) + 6) < 1e-3)
    #expect(UnitMeters.decibels(.infinity) == 200)
    #expect(UnitMeters.decibels(.nan) == 200)
    #expect(UnitMeters.decibels(.leastNonzeroMagnitude) == -200)
  }

  /// Reads the answer of a session older than the units' status.
  @Test func anAnswerWithoutUnitsIsRead() throws {
    let line =
      #"{"answer":{"status":{"client":"a","counts":[],"isDirty":false,"#
      + #""isServerThere":false,"server":"s","units":2}}}"#
    guard case .status(let status) = try SessionWire.answer(Array(line.utf8)) else {
      Issue.record("no status")
      return
    }
    #expect(status.units == 2 && status.unitStatus == nil && status.notices == nil)
  }
}

/// A log handler that discards everything.
private struct SilentHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }
  func log(event: LogEvent) {}
}
