// The number of an equalizer's bands, and their settings by programs and configurations.

import Configuration
import DSP
import Effects
import Testing
import UnitModel
import UnitTestSupport

@Suite struct EQBandTests {
  private func read(_ lines: String) throws -> SessionConfiguration {
    try SessionConfiguration(
      toml: "[[unit]]\nid = \"e\"\ncomponent = \"eq\"\n" + lines, file: "a.toml",
      kinds: [EQUnit.component])
  }

  @Test(arguments: [1, 4, 5, 32]) func aConfigurationSaysHowManyBandsThereAre(count: Int) throws {
    let keys = try read("bands = \(count)").units[0].keys
    let component = try EQUnit.component(EQUnit.component, for: keys)
    let registry = ComponentRegistry()
    try registry.register(component)
    let unit = try #require(try registry.makeUnit(of: component) as? EQUnit)
    #expect(unit.bands.count == count)
    #expect(unit.parameterTree.allParameters.count == 1 + 5 * count)
    #expect(unit.parameterTree.parameter(keyPath: "bands.\(count).bandwidth") != nil)
    #expect(unit.parameterTree.parameter(keyPath: "bands.\(count + 1).bandwidth") == nil)
  }

  @Test(arguments: ["0", "33", "2.5", "\"four\""])
  func otherNumbersOfBandsAreRefusedWithTheAcceptedRange(text: String) throws {
    let error = try #require(throws: (any Error).self) { try read("bands = \(text)") }
    #expect("\(error)".contains("a.toml:4"))
    #expect("\(error)".contains("1 to 32"))
  }

  @Test func frequenciesRiseFromBandToBand() throws {
    for count in [1, 2, 9, 32] {
      let frequencies = try EQUnit(bandCount: count).bands.map(\.frequency)
      #expect(frequencies == frequencies.sorted())
      #expect(Set(frequencies).count == count)
    }
  }

  @Test func presetsAreThoseThatTheBandsAreEnoughFor() throws {
    let names = try [1, 2, 3, 4].map { try EQUnit(bandCount: $0).factoryPresets.map(\.name) }
    #expect(names[0].contains("Bass Boost") && !names[0].contains("Telephone"))
    #expect(names[1].contains("Telephone") && !names[1].contains("Clear Voice"))
    #expect(names[3].count > names[2].count)
  }

  /// The equalizer of the talk: two bands, set by their properties.
  @Test func aProgramSetsBandsByTheirProperties() throws {
    let unit = try EQUnit(bandCount: 2)
    unit.bands[0].kind = .lowPass
    unit.bands[0].frequency = 5000
    unit.bands[1].bypass = true
    unit.bands[1].gain = -6
    unit.bands[1].bandwidth = 2
    let tree = unit.parameterTree
    #expect(tree.parameter(keyPath: "bands.1.kind")?.string() == "Low Pass")
    #expect(tree.parameter(keyPath: "bands.1.frequency")?.value == 5000)
    #expect(tree.parameter(keyPath: "bands.2.bypass")?.value == 1)
    #expect(tree.parameter(keyPath: "bands.2.gain")?.value == -6)
    #expect(tree.parameter(keyPath: "bands.2.bandwidth")?.value == 2)
    #expect(unit.bands[0].kind == .lowPass && unit.bands[1].bypass)
  }
}
