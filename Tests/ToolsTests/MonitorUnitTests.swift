// The monitor's unit and session: every event on its frame, in order, or counted.

import Configuration
import Testing
import UnitHost

@testable import Tools

@Suite struct MonitorUnitTests {
  private func host(_ unit: MonitorUnit) throws -> DirectHost {
    try unit.allocateRenderResources()
    return try DirectHost(unit)
  }

  @Test func eventsHaveTheirFramesAtAnyPeriod() throws {
    for period in [1, 13, 64, 1000] {
      let unit = try MonitorUnit()
      try unit.setMaximumFramesToRender(1000)
      let host = try host(unit)
      let sent: [(frame: Int, bytes: [UInt8])] = [
        (0, [0x90, 60, 100]), (0, [0xF8]), (12, [0xC0, 5]), (13, [0xF0, 1, 2, 0xF7]),
        (999, [0x80, 60, 0]),
      ]
      for start in stride(from: 0, to: 1000, by: period) {
        let end = min(start + period, 1000)
        _ = try host.render(
          end - start,
          midi: sent.filter { (start..<end).contains($0.frame) }.map {
            .init(offset: $0.frame - start, $0.bytes)
          })
        #expect(unit.renderedFrames == Int64(end))
      }
      let taken = unit.take()
      #expect(taken.map { Int($0.frame) } == sent.map(\.frame), "period \(period)")
      #expect(taken.map(\.kept) == sent.map(\.bytes))
    }
  }

  @Test func ofALongSystemExclusiveTheBeginningAndTheLengthAreKept() throws {
    let unit = try MonitorUnit()
    let host = try host(unit)
    let bytes = [0xF0] + (0..<5000).map { UInt8($0 % 128) } + [0xF7]
    _ = try host.render(64, midi: [.init(offset: 3, bytes)])
    let event = try #require(unit.take().first)
    #expect(event.frame == 3 && event.byteCount == 5002)
    #expect(event.kept == Array(bytes.prefix(20)))
  }

  @Test func eventsWithoutRoomAreCountedAndTheOthersAreInOrder() throws {
    let unit = try MonitorUnit()
    let host = try host(unit)
    for cycle in 0..<140 {
      _ = try host.render(
        512, midi: (0..<512).map { .init(offset: $0, [0x90, UInt8(cycle % 128), 1]) })
    }
    #expect(unit.counts.map(\.number) == [140 * 512 - 65_536])
    let taken = unit.take()
    #expect(taken.map { Int($0.frame) } == Array(0..<65_536))
    _ = try host.render(512, midi: [.init(offset: 7, [0xFA])])
    #expect(unit.take().map { Int($0.frame) } == [140 * 512 + 7])
  }

  @Test func eventsOfSeveralPortsAreInTheOrderOfTheirFrames() async throws {
    let monitored = try await MonitoredSession(["a:out", "b:*"])
    let hosts = try monitored.plan.graph.nodes.map {
      try host(try #require($0.unit as? MonitorUnit))
    }
    func render(_ port: Int, _ offsets: [Int]) throws {
      _ = try hosts[port].render(64, midi: offsets.map { .init(offset: $0, [0xFA]) })
    }
    func taken() -> [String] { monitored.take().map { "\($0.frame) \($0.source.text)" } }
    try render(0, [5, 20, 20])
    // The other port may still have earlier events in this cycle.
    #expect(taken().isEmpty)
    try render(1, [4, 20, 63])
    #expect(taken() == ["4 b:*", "5 a:out", "20 a:out", "20 a:out", "20 b:*", "63 b:*"])
    try render(1, [0])
    try render(0, [])
    #expect(taken() == ["64 b:*"])
    #expect(taken().isEmpty)
  }

  @Test(arguments: ["", "a2j", ":", ":out", "keys:", "physical:inputs", "physical:outputs", "*"])
  func aTextThatNamesNoPortIsRefused(_ port: String) async throws {
    do throws(ConfigurationError) {
      _ = try await MonitoredSession([port])
      Issue.record("\(port) was taken")
    } catch {
      #expect(error.description.contains("names no MIDI port; accepted: 'physical:midi', or a"))
    }
  }
}
