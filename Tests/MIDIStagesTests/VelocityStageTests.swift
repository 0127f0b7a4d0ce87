// The velocity stage's changes of velocities.

import Foundation
import Testing

@Suite struct VelocityStageTests {
  let rig = ChainRig([.velocity])

  /// The output of each of the velocities, on a channel.
  func outputs(of velocities: [UInt8], channel: UInt8 = 0) -> [UInt8] {
    velocities.flatMap { rig.midi([0x90 | channel, 60, $0], [0x80 | channel, 60, 64]) }
      .filter { $0[0] & 0xF0 == 0x90 }.map { $0[2] }
  }

  static let all = Array(UInt8(1)...127)

  @Test func changesNothingByDefault() {
    #expect(outputs(of: Self.all) == Self.all)
  }

  @Test(arguments: [0.1, 1, 3, 10])
  func theNamedCurvesAreTheirFormulasAndKeepTheEnds(shape: Double) {
    rig.setNow("velocity.shape", Float(shape))
    let k = Double(Float(shape))
    for (curve, formula) in [
      (1, { (exp(k * $0) - 1) / (exp(k) - 1) }), (2, { log(1 + $0 * (exp(k) - 1)) / k }),
    ] as [(Float, (Double) -> Double)] {
      rig.setNow("velocity.curve", curve)
      let output = outputs(of: Self.all)
      #expect(output == Self.all.map { UInt8(1 + 126 * formula(Double($0 - 1) / 126) + 0.5) })
      #expect(output.first == 1 && output.last == 127)
    }
  }

  @Test func aFixedVelocityIsThatOfEveryNote() {
    rig.setNow("velocity.curve", 3)
    rig.setNow("velocity.fixed", 77)
    #expect(outputs(of: Self.all) == Array(repeating: 77, count: 127))
  }

  @Test func aDrawnCurvePassesThroughItsPointsInAnyOrder() {
    rig.setNow("velocity.curve", 4)
    #expect(outputs(of: Self.all) == Self.all)
    for (point, input, output) in [(3, 20, 10), (8, 100, 90), (1, 60, 90)] as [(Int, Float, Float)]
    {
      rig.setNow("velocity.points.\(point).in", input)
      rig.setNow("velocity.points.\(point).out", output)
    }
    #expect(outputs(of: [1, 20, 40, 60, 80, 100, 127]) == [10, 10, 50, 90, 90, 90, 90])
    rig.setNow("velocity.points.2.in", 60)
    rig.setNow("velocity.points.2.out", 30)
    #expect(outputs(of: [40, 60, 80]) == [20, 30, 60])
  }

  @Test func theOutputRangeHoldsTheWholeCurveAlsoTurnedRound() {
    rig.setNow("velocity.outputLow", 40)
    rig.setNow("velocity.outputHigh", 100)
    #expect(outputs(of: [1, 64, 127]) == [40, 70, 100])
    rig.setNow("velocity.outputLow", 127)
    rig.setNow("velocity.outputHigh", 1)
    #expect(outputs(of: Self.all) == Self.all.reversed())
  }

  @Test func compandingScalesTheDistanceFromItsCentre() {
    rig.setNow("velocity.compandCenter", 60)
    rig.setNow("velocity.compand", 0.5)
    #expect(outputs(of: [20, 60, 100, 127]) == [40, 60, 80, 94])
    rig.setNow("velocity.compand", 2)
    #expect(outputs(of: [1, 20, 50, 60, 70, 127]) == [1, 1, 40, 60, 80, 127])
    rig.setNow("velocity.compand", 0)
    #expect(outputs(of: Self.all) == Array(repeating: 60, count: 127))
  }

  @Test func onlyNoteOnsOfItsChannelsChange() {
    rig.setNow("velocity.curve", 3)
    rig.setNow("velocity.channels.2", 0)
    #expect(outputs(of: [5], channel: 1) == [5])
    #expect(outputs(of: [5], channel: 2) == [100])
    let others: [[UInt8]] = [
      [0x80, 60, 5], [0x90, 60, 0], [0xA0, 60, 5], [0xB0, 7, 5], [0xD0, 5], [0xE0, 5, 5], [0xF8],
    ]
    #expect(rig.process(others.map { .midi($0, at: 0) }) == others.map { .midi($0, at: 0) })
  }

  @Test func valuesThatAreNoNumbersAreHeldToTheRange() {
    for parameter in rig.tree.allParameters {
      for value in [Float.nan, .infinity, -.infinity] {
        rig.setNow(String(parameter.keyPath.dropFirst(5)), value)
        for velocity in outputs(of: [1, 64, 127]) { #expect((1...127).contains(velocity)) }
      }
    }
  }
}
