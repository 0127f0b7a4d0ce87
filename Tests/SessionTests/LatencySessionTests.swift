// Units of a program whose latency changes while they play.

import BuiltInUnits
import MediaFiles
import OfflineHost
import Realtime
import SessionTestSupport
import Synchronization
import TestSupport
import Testing
import UnitModel
import UnitRender

@testable import Session
@testable import SessionModel

/// A kernel that renders silence.
private struct SilentKernel: RenderKernel, ~Copyable {
  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {}

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    Samples.clear(slice.output(channel: 0), count: slice.frameCount)
  }

  @_noLocks @_noAllocation
  mutating func reset() {}
}

@_noLocks @_noAllocation
private func silentRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(SilentKernel.self, context, call)
}

@_noLocks @_noAllocation
private func silentReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(SilentKernel.self, context)
}

/// A unit that reports the latency a test sets.
private final class LateUnit: AudioUnit, @unchecked Sendable {
  private let seconds = Mutex(0.0)

  static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "late", manufacturer: "Test"),
    name: "Late", shortName: "late", unitType: LateUnit.self
  ) { description, _ in
    LateUnit(
      componentDescription: description,
      inputBusses: BusArray(.input, [try Bus(.input)]),
      outputBusses: BusArray(.output, [try Bus(.output)]),
      parameterTree: try ParameterTree(children: []))
  }

  override var latency: Double { seconds.withLock { $0 } }

  func become(late seconds: Double) { self.seconds.withLock { $0 = seconds } }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(SilentKernel(), for: self, render: silentRender, reset: silentReset)
  }
}

@Suite struct LatencySessionTests {
  private let directory: TemporaryDirectory
  private let host: OfflineHost
  private let session: JackSession
  private let unit: LateUnit
  private let log = LogRecorder()

  init() async throws {
    directory = try TemporaryDirectory()
    let file = try directory.write(
      "[[unit]]\nid = \"slow\"\ncomponent = \"late\"\n", to: "session.toml")
    let registry = try BuiltInComponents.makeRegistry()
    try registry.register(LateUnit.component)
    let plan = try await SessionBuilder(registry: registry).build(contentsOf: file)
    host = try OfflineHost(plan, sampleRate: 48_000, period: 64)
    var logger = log.logger
    logger.logLevel = .info
    session = JackSession(plan, on: host, SteppedTime(), RecentNotices(), log: logger)
    unit = try #require(plan.units.first?.unit as? LateUnit)
  }

  /// Reads the latencies four times, and renders in between.
  ///
  /// - Returns: the log's lines.
  private func look() -> String {
    for _ in 0..<4 {
      session.followLatencies()
      for _ in 0..<8 { _ = host.render(64, midi: [:]) }
      session.advance()
    }
    return log.take()
  }

  private var latency: Int? { host.compiled?.portLatencies().first?.frames }

  @Test func aChangedLatencyIsFollowedAndReportedOnce() {
    #expect(look() == "" && latency == 0)
    unit.become(late: 0.01)
    #expect(look() == "info: slow: the latency is 480 frames now\n")
    #expect(latency == 480)
    unit.become(late: 0)
    #expect(look() == "info: slow: the latency is 0 frames now\n")
    #expect(latency == 0)
  }

  /// The unit is rendered as before, and the error is logged once.
  @Test func oneThatNobodyCanCompensateIsRefusedOnce() {
    for _ in 0..<2 {
      unit.become(late: -1)
      let refusal = look()
      #expect(refusal.contains("its latency is -1.0 seconds"), "\(refusal)")
      #expect(refusal.split(separator: "warning: ").count == 1, "\(refusal)")
      #expect(latency == 0)
      // After a valid latency another error is logged again.
      unit.become(late: 0)
      #expect(look() == "" && latency == 0)
    }
  }

  /// Each player by the path of its output.
  @Test func playersLearnHowMuchLaterTheyAreHeard() async throws {
    let writer = try AudioFileWriter(
      url: directory.file("sound.wav"), sampleRate: 48_000, channelCount: 1)
    try writer.write([Signal.noise(frames: 1_000, seed: 1)])
    try writer.finish()
    let file = try directory.write(
      """
      [[unit]]
      id = "limited"
      component = "player"
      file = "sound.wav"
      [[unit]]
      id = "limiter"
      component = "limiter"
      [[unit]]
      id = "straight"
      component = "player"
      file = "sound.wav"
      [[connect]]
      from = "limited"
      to = "limiter"
      """, to: "players.toml")
    let plan = try await DocumentRig(file).plan
    let host = try OfflineHost(plan, sampleRate: 48_000, period: 64)
    let session = JackSession(
      plan, on: host, SteppedTime(), RecentNotices(), log: log.logger)
    session.updatePresentationLatencies()
    let latency = plan.units[1].unit.latency
    #expect(latency > 0)
    #expect(
      plan.units.compactMap { $0.unit as? any Presenting }.map(\.contextPresentationLatency)
        == [latency, 0])
  }
}
