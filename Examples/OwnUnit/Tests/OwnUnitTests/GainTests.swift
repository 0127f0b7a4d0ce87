// The gain, rendered into arrays.

import Auricle
import Testing

@testable import OwnUnit

@Suite struct GainTests {
  @Test func aScheduledGainBeginsOnItsFrameAndArrivesWithoutAStep() throws {
    let unit = try Gain()
    try unit.allocateRenderResources()
    let host = try DirectHost(unit)
    try unit.scheduleParameter(0, value: 2, at: .frame(3))
    let samples = [Float](repeating: 0.25, count: 500)
    var output: [Float] = []
    for _ in 0..<2 { output += try host.render(500, inputs: [[samples, samples]])[0][0] }
    #expect(output[..<3] == [0.25, 0.25, 0.25])
    for frame in 3..<1000 {
      let step = output[frame] - output[frame - 1]
      #expect(frame < 963 ? step > 0 && step < 0.001 : step == 0)
    }
    #expect(output[999] == 0.5)
  }
}
