// Values that the two sides of a unit share, each stored separately.

import TestSupport
import Testing
import UnitRender

@Suite struct UnitSwitchesTests {
  /// The state of a bypass and the counts do not affect each other.
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
