// The filter's presets and its state.

import Effects
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct FilterPresetTests {
  @Test(arguments: [("Prominent", 2500, 5), ("Bright", 14_000, 12), ("Warm", 384, -3)])
  func aFactoryPresetSetsBothParameters(name: String, hertz: Float, decibels: Float) throws {
    let unit = try FilterUnit()
    let preset = try #require(unit.factoryPresets.first { $0.name == name })
    try unit.setCurrentPreset(preset)
    #expect(unit.allParameterValues == ["cutoff": hertz, "resonance": decibels])
    #expect(unit.currentPreset == preset)
  }

  @Test func thePresetsAreNumberedInTheirOrder() throws {
    #expect(
      try FilterUnit().factoryPresets == [
        Preset(number: 0, name: "Prominent"), Preset(number: 1, name: "Bright"),
        Preset(number: 2, name: "Warm"),
      ])
  }

  @Test func aPresetSoundsAtOnce() throws {
    let input = Signal.noise(frames: 4000, seed: 1)
    let unit = try makeFilter()
    let host = try DirectHost(unit)
    try unit.setCurrentPreset(Preset(number: 2, name: "Warm"))
    let events = [
      FilterEvent(frame: 0, address: FilterUnit.cutoffAddress, value: 384, rampFrames: 960),
      FilterEvent(frame: 0, address: FilterUnit.resonanceAddress, value: -3, rampFrames: 960),
    ]
    #expect(firstBitDifference(try host.run([input])[0], reference(input, events)) == nil)
  }

  @Test func aUserPresetBringsBackEverySetting() throws {
    let directory = try TemporaryDirectory()
    func makeUnit() throws -> FilterUnit {
      let unit = try FilterUnit()
      unit.presetStore = PresetStore(component: unit.componentDescription, root: directory.url)
      return unit
    }
    let first = try makeUnit()
    // Not representable in decimal: the restored number is the same, not a similar one.
    first.cutoff = 1234.567
    first.resonance = -7.1
    let saved = try first.saveUserPreset(named: "Mine")
    let second = try makeUnit()
    #expect(try second.userPresets == [saved])
    try second.setCurrentPreset(saved)
    #expect(second.allParameterValues == first.allParameterValues)
    #expect(second.fullState == first.fullState)
  }

  @Test func aDocumentBringsBackTheBypassToo() throws {
    let first = try FilterUnit()
    first.resonance = 19.9
    first.shouldBypassEffect = true
    let second = try FilterUnit()
    second.cutoff = 100
    try second.setFullStateForDocument(first.fullStateForDocument)
    #expect(second.allParameterValues == first.allParameterValues)
    #expect(second.shouldBypassEffect)
  }
}
