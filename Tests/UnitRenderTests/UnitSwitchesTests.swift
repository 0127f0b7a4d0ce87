// What the two sides of a unit share, each in its own place.

import TestSupport
import Testing
import UnitRender

@Suite struct UnitSwitchesTests {
  /// What is known of a bypass and counts are different things.
  @Test func countsAreNoBypass() {
    let unit = StepUnit(maximumFrames: 8)
    for (index, what) in UnitSwitches.Count.allCases.enumerated() {
      for _ in 0...index { unit.switches.count(what) }
    }
    #expect(!unit.switches.isBypassed)
    unit.switches.settleBypass(true)
    #expect(unit.switches.isBypassed)
    for (index, what) in UnitSwitches.Count.allCases.enumerated() {
      #expect(unit.switches.value(of: what) == index + 1, "\(what)")
    }
  }
}
