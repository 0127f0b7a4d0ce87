// The gain, rendered into arrays.

import Auricle
import Testing

@testable import OwnUnit

@Suite struct GainTests {
  @Test func aScheduledGainTakesEffectOnItsFrame() throws {
    let unit = try GainUnit()
    try unit.allocateRenderResources()
    let host = try DirectHost(unit)
    try unit.scheduleParameter(0, value: 2, at: .frame(3))
    let samples = [Float](repeating: 0.25, count: 6)
    let output = try host.render(6, inputs: [[samples, samples]])
    #expect(output[0][0] == [0.25, 0.25, 0.25, 0.5, 0.5, 0.5])
    #expect(output[0][1] == output[0][0])
  }
}
