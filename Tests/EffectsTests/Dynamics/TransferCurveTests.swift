// The transfer curves that dynamics units report are those of their output.

import Effects
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct TransferCurveTests {
  /// Compares with the output's level at the end of a steady sound, which was silent before.
  private func check(
    _ make: () throws -> some DynamicsProcessor, _ values: [String: Float]
  ) throws {
    let levels = stride(from: -80.0, through: 12, by: 2.3)
    for level in levels {
      let unit = try prepared(try make(), values)
      let reported = unit.outputDecibels(atInputDecibels: [level])[0]
      let input = Signal.constant(Float(amplitude(level)), frames: 9600)
      let output = try DirectHost(unit).run([input])[0]
      #expect(abs(decibels(Double(output.last!)) - reported) < 0.003, "\(level) dB, \(values)")
    }
  }

  @Test func theyAreThoseOfTheOutput() throws {
    for (threshold, ratio, knee) in CompressorTests.curves {
      try check(
        { try CompressorUnit() },
        ["threshold": threshold, "ratio": ratio, "knee": knee, "attack": 1, "gain": 3])
    }
    for (gain, ceiling) in [(0, -1), (12, -6), (-6, -36)] as [(Float, Float)] {
      try check({ try LimiterUnit() }, ["gain": gain, "ceiling": ceiling])
    }
    for (threshold, range) in [(-40, -80), (0, -20), (-20, 0)] as [(Float, Float)] {
      try check(
        { try GateUnit() },
        ["threshold": threshold, "range": range, "attack": 1, "release": 5])
    }
  }
}
