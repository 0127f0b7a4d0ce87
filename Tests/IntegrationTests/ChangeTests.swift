// Changes while a graph plays: other periods and rates, failing units, late cycles.

import BuiltInUnits
import Configuration
import Effects
import Foundation
import Graph
import JackBackend
import JackHost
import Logging
import OfflineBackend
import TestSupport
import Testing
import UnitRender

@testable import Session
@testable import SessionModel

@Suite(.serialized) struct ChangeTests {
  /// The shortest period is tested separately: a busy machine cannot always keep it up.
  @Test(arguments: [[4096, 64, 1024, 441, 2048, 128, 256], [16, 4096, 16, 256]])
  func thePeriodChangesWithoutAGap(periods: [Int]) async throws {
    // jackd drops clients that are too late for ten periods: such a run shows nothing.
    for _ in 0..<5 {
      let (seen, statistics) = try await watchPeriodChanges(periods)
      #expect(statistics.silentCycles == 0)
      if statistics.xruns > 0 { continue }
      #expect(seen.breaks == 0, "\(seen)")
      // The curvature of a sine is its amplitude times (2 pi f / rate)^2.
      let step = Float(2 * Double.pi * CounterUnit.frequencyHertz / 48_000)
      #expect(seen.bend > 0.9 * step * step && seen.bend < 1.1 * step * step)
      #expect(statistics.skippedCycles == 0)
      return
    }
    withKnownIssue("the machine is too busy for a run without xruns", isIntermittent: true) {
      Issue.record("no run of five was without xruns")
    }
  }

  /// Watches a counter and a filtered sine while the server's period changes.
  private func watchPeriodChanges(
    _ periods: [Int]
  ) async throws -> (Continuity, JackStatistics) {
    // Synchronous: a late client delays the cycle, and no frame is skipped on a busy machine.
    let server = try await JackServer.start(period: 256, isSynchronous: true)
    let graph = Graph()
    let counter = try graph.add(try CounterUnit(), id: "counter")
    let filter = try FilterUnit()
    try filter.parameterTree.parameter(keyPath: "cutoff")?.setValue(8000)
    let lowpass = try graph.add(filter, id: "lowpass")
    try graph.connect(GraphBus(unit: counter, bus: 0), to: GraphBus(unit: lowpass, bus: 0))
    try graph.exposeOutput(GraphBus(unit: counter, bus: 0))
    let rig = try BackendRig(graph, on: server)
    let control = try JackTestClient(server, "control")
    let watcher = try ContinuityClient(server)
    // The counter is connected last and begins the watch: a busy machine may pause in between.
    try watcher.connect("auricle:lowpass_out_2", to: "watcher:in_2")
    try watcher.connect("auricle:counter_out_1", to: "watcher:in_1")
    #expect(await eventually { watcher.state.frames > 5000 })
    for period in periods {
      try await control.setPeriod(period)
      let frames = watcher.state.frames
      #expect(await eventually { watcher.state.frames > frames + 3 * max(period, 500) })
      #expect(rig.backend.statistics.period == period)
    }
    watcher.close()
    return (watcher.state, rig.backend.statistics)
  }

  @Test func aUnitThatGoesWrongSilencesOnlyItselfAndOnlyThen() async throws {
    let period = 256
    let server = try await JackServer.start(period: period)
    let graph = Graph()
    let unit = try FaultyUnit()
    try graph.add(unit, id: "faulty")
    try graph.add(try CounterUnit(), id: "counter")
    let rig = try BackendRig(graph, on: server)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 2)
    try await player.connect("player:midi_out_1", to: "auricle:faulty_midi_in")
    try await recorder.connect("auricle:faulty_out_2", to: "recorder:audio_in_1")
    try await recorder.connect("auricle:counter_out_1", to: "recorder:audio_in_2")
    let faults: [(cycle: Int, key: UInt8)] = [(3, 1), (7, 2), (8, 3), (20, 1)]
    player.script.midi = faults.map {
      TimedMIDI(frame: $0.cycle * period + 99, bytes: [0x90, $0.key, 1])
    }
    try await player.setFreewheel(true)
    let takes = try await JackTestClient.run([player, recorder], frames: 40 * period)
    try await player.setFreewheel(false)
    #expect(takes.allSatisfy { $0.isComplete && $0.startsInCycle == 0 })
    let expected = (0..<40).flatMap { cycle in
      Signal.constant(faults.contains { $0.cycle == cycle } ? 0 : 0.5, frames: period)
    }
    #expect(firstDifference(takes[1].audio[0], expected) == nil)
    let counts = takes[1].audio[1]
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $1 == CounterKernel.count(after: $0) })
    #expect(unit.switches.value(of: .failedCycles) == 2)
    #expect(unit.switches.value(of: .nonFiniteCycles) == 2)
    withExtendedLifetime(rig) {}
  }

  @Test func lateCyclesAreCountedAndSaid() async throws {
    let server = try await JackServer.start(period: 256)
    let auricle = try await RunningAuricle(Configurations.filter(), on: server)
    let rig = try BackendRig(try FilterUnit(), id: "unit", on: server)
    let late = try OverrunningClient(server)
    // A client that waits for a late one misses cycles itself.
    try late.connect("overrunner:out_1", to: "auricle:unit_in_1")
    try late.connect("overrunner:out_1", to: "filter:lowpass_in_1")
    let before = rig.backend.statistics
    late.overrun()
    #expect(
      await eventually {
        let now = rig.backend.statistics
        return now.xruns > before.xruns && now.skippedCycles > before.skippedCycles
      })
    let lines = ["xruns (cycles that were not finished in time)", "cycles that the server skipped"]
    for line in lines {
      _ = try await auricle.child.waitForLine(containing: line, in: .standardError)
    }
    withExtendedLifetime(late) {}
    try await auricle.expectEnd()
  }

  @Test func theUnitsRestartForAnotherSampleRate() async throws {
    let server = try await JackServer.start(isSynchronous: true)
    let directory = try TemporaryDirectory()
    let file = try directory.write(Configurations.filter(name: "auricle"), to: "session.toml")
    let builder = SessionBuilder(registry: try BuiltInComponents.makeRegistry())
    let plan = try await builder.build(contentsOf: file)
    let session = try JackSession(
      plan, JackSession.Options(server: server.name), log: Logger(label: "test"))
    defer { session.stop() }
    let player = try JackTestClient(server, "player", audioOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 1)
    try await player.connect("player:audio_out_1", to: "auricle:lowpass_in_1")
    try await recorder.connect("auricle:lowpass_out_1", to: "recorder:audio_in_1")
    let noise = Signal.noise(frames: 4800, seed: 1)
    player.script.audio = [noise]
    try session.changeSampleRate(to: 44_100)
    let backend = try #require(session.connection?.backend)
    #expect(backend.statistics.silentCycles > 0)
    // The ports and their connections are unchanged, and it plays on.
    let silent = backend.statistics.silentCycles
    let take = try await JackTestClient.run([player, recorder], frames: 4800)[1]
    // A filter with the same cutoff sounds different at 44.1 kHz than at the server's 48 kHz.
    let offline = try await builder.build(contentsOf: file)
    let expected = OfflineRenderer(
      try offline.graph.compile(CompileOptions(sampleRate: 44_100, maximumFrames: 1024))
    ).render(frameCount: 4800, input: [noise])[0]
    #expect(firstDifference(take.audio[0], expected) == nil)
    #expect(backend.statistics.silentCycles == silent)
  }
}
