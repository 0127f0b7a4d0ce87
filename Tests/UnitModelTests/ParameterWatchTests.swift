// Notifications of changes by the render side, sent when a host asks for them.

import Synchronization
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitRender

@Suite struct ParameterWatchTests {
  /// Collects the changes that an observer of a whole tree receives.
  private final class Heard: Sendable {
    private let changes = Mutex<[(ParameterAddress, Float)]>([])

    func add(_ address: ParameterAddress, _ value: Float) {
      changes.withLock { $0.append((address, value)) }
    }

    func take(_ address: ParameterAddress) -> [Float] {
      changes.withLock { changes in
        defer { changes = [] }
        return changes.filter { $0.0 == address }.map(\.1)
      }
    }
  }

  private let unit: GainUnit
  private let host: DirectHost
  private let heard = Heard()
  private let ones: DirectHost.Busses = [[[Float](repeating: 1, count: 64)]]

  init() throws {
    unit = try GainUnit()
    let heard = heard
    _ = unit.parameterTree.token(byAddingParameterObserver: { heard.add($0, $1) })
    try unit.allocateRenderResources()
    host = try DirectHost(unit)
  }

  @Test func aScheduledValueIsReportedOnceItSounds() throws {
    try unit.scheduleParameter(GainAddress.gain, value: 2, at: .frame(70))
    _ = try host.render(64, inputs: ones)
    unit.notifyMovedParameters()
    #expect(heard.take(GainAddress.gain) == [])
    _ = try host.render(64, inputs: ones)
    #expect(unit.notifyMovedParameters() > 0)
    #expect(heard.take(GainAddress.gain) == [2])
    #expect(unit.notifyMovedParameters() == 0)
    #expect(heard.take(GainAddress.gain) == [])
  }

  @Test func aRampIsReportedAsItSounds() throws {
    try unit.scheduleParameter(GainAddress.gain, value: 3, rampFrames: 128)
    var told: [Float] = []
    for _ in 0..<4 {
      _ = try host.render(64, inputs: ones)
      unit.notifyMovedParameters()
      told += heard.take(GainAddress.gain)
    }
    #expect(told.count == 2)
    #expect(abs(told[0] - 2) < 1e-5 && told[1] == 3)
  }

  @Test func aSetValueIsReportedAtOnceAndNotAgain() throws {
    unit.gain.value = 2
    #expect(heard.take(GainAddress.gain) == [2])
    _ = try host.render(64, inputs: ones)
    unit.notifyMovedParameters()
    #expect(heard.take(GainAddress.gain) == [])
  }

  @Test func metersAreReported() throws {
    unit.gain.value = 2
    _ = try host.render(64, inputs: ones)
    unit.notifyMovedParameters()
    // The meter shows the greatest value of the output.
    #expect(heard.take(GainAddress.meter) == [2])
  }

  @Test func observersMaySetValuesDuringANotification() throws {
    let unit = unit
    _ = unit.gain.token(byAddingParameterObserver: { _, value in unit.offset.value = value })
    try unit.scheduleParameter(GainAddress.gain, value: 0.5)
    _ = try host.render(64, inputs: ones)
    unit.notifyMovedParameters()
    #expect(unit.offset.value == 0.5)
  }
}
