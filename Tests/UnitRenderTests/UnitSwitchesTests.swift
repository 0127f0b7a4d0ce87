// What the two sides of a unit share, each in its own place.

import TestSupport
import Testing
import UnitRender

@Suite struct UnitSwitchesTests {
  /// A bypass on a frame and counts are different things.
  @Test func countsAreNoBypass() {
    let unit = StepUnit(maximumFrames: 8)
    for (index, what) in UnitSwitches.Count.allCases.enumerated() {
      for _ in 0...index { unit.switches.count(what) }
    }
    #expect(!unit.switches.isBypassed(at: 1_000))
    unit.switches.setBypassed(true, from: 500)
    #expect(!unit.switches.isBypassed(at: 499) && unit.switches.isBypassed(at: 500))
    for (index, what) in UnitSwitches.Count.allCases.enumerated() {
      #expect(unit.switches.value(of: what) == index + 1, "\(what)")
    }
    unit.switches.settleBypass(true, from: 500)
    #expect(unit.switches.isBypassed && unit.switches.isBypassed(at: 0))
  }
}
