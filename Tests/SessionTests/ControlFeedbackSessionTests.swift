// Parameter values sent to newly connected controllers.

import SessionTestSupport
import TestSupport
import Testing
import UnitHost
import UnitModel

@testable import Session
@testable import SessionModel

@Suite struct ControlFeedbackSessionTests {
  private let folder: TemporaryDirectory
  private let host: StillHost
  private let session: JackSession
  private let control: DirectHost

  init() async throws {
    folder = try TemporaryDirectory()
    let plan = try await DocumentRig(
      folder.write(
        """
        [[unit]]
        id = "lowpass"
        component = "filter"
        [[map]]
        parameter = "lowpass/cutoff"
        controller = 74
        """, to: "session.toml")
    ).plan
    host = StillHost(plan)
    session = JackSession(plan, on: host, SteppedTime(), RecentNotices(), log: LogRecorder().logger)
    let unit = try #require(plan.controlNode?.unit)
    try unit.allocateRenderResources()
    control = try DirectHost(unit)
  }

  /// Returns the messages sent to controllers in 16 cycles.
  private func sent() throws -> [[UInt8]] {
    try (0..<16).flatMap { _ in
      _ = try control.render(256)
      return control.midiOutput.map(\.bytes).filter { !$0.isEmpty }
    }
  }

  /// Connects outside ports with a port of the session.
  ///
  /// - Returns: the messages sent to controllers after that.
  private func connect(_ ports: String..., to own: String = "control_midi_out") throws -> [[UInt8]]
  {
    host.links = ports.map { HostLink(own: own, outside: $0) }
    session.sendToNewControls()
    return try sent()
  }

  @Test func onlyNewReceiversGetAllValues() throws {
    let all = try sent()
    #expect(all == [[0xB0, 74, 127]])
    #expect(try connect("faders:in") == all)
    #expect(try connect("faders:in") == [])
    #expect(try connect("faders:in", "lights:in") == all)
    #expect(try connect("lights:in") == [])
    #expect(try connect("lights:in", "faders:in") == all)
    #expect(try connect() == [])
    #expect(try connect("keys:out", to: "control_midi_in") == [])
    #expect(try connect("lights:in") == all)
  }
}
