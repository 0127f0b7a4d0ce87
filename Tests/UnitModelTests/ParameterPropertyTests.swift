// Parameters that a unit declares as properties.

import Testing
import UnitModel

private final class Trim: EffectUnit, @unchecked Sendable {
  @Parameter(identifier: "gain", name: "Gain", address: 7, range: -12...12, unit: .decibels)
  var gain: Float = 3
  @Parameter(identifier: "meter", name: "Meter", address: 9, range: 0...1, flags: [.readable])
  var meter: Float = 0.5

  init(channelCounts: [Int] = []) throws {
    try super.init(
      componentDescription: ComponentDescription(
        type: .effect, subtype: "trim", manufacturer: "Test"),
      inputs: ["Sound", "Key"], channelCounts: channelCounts, parameters: [_gain, _meter],
      factoryPresets: [FactoryPreset("Low", ["gain": -6]), FactoryPreset("High", ["gain": 6])])
  }
}

@Suite struct ParameterPropertyTests {
  @Test func aPropertyIsItsParameter() throws {
    let unit = try Trim()
    #expect(unit.parameterTree.allParameters.map(\.keyPath) == ["gain", "meter"])
    #expect(unit.$gain === unit.parameterTree.parameter(address: 7))
    #expect(unit.$gain.defaultValue == 3 && unit.gain == 3)
    unit.gain = -5
    #expect(unit.$gain.value == -5 && unit.parameterValues[0] == -5)
    try unit.$gain.setValue(2)
    #expect(unit.gain == 2)
    // Each unit has parameters of its own.
    #expect(try Trim().gain == 3)
  }

  @Test func aPropertyIsClampedAndARefusedValueCounted() throws {
    let unit = try Trim()
    unit.gain = 100
    #expect(unit.gain == 12)
    unit.gain = .nan
    unit.meter = 1
    #expect(unit.gain == 12 && unit.meter == 0.5)
    #expect(unit.parameterTree.refusedValueCount == 2)
  }

  @Test func declaredPresetsAreNumberedAndApplied() throws {
    let unit = try Trim()
    let presets = unit.factoryPresets
    #expect(presets == [Preset(number: 0, name: "Low"), Preset(number: 1, name: "High")])
    try unit.setCurrentPreset(presets[1])
    #expect(unit.gain == 6)
    #expect(unit.factoryPresetValues(of: Preset(number: 2, name: "None")).isEmpty)
  }

  @Test func anEffectHasItsBussesAndAsManyOutputsAsInputs() throws {
    let unit = try Trim(channelCounts: [1, 2])
    #expect(unit.inputBusses.busses.map(\.name) == ["Sound", "Key"])
    #expect(unit.outputBusses.busses.map(\.name) == ["Output"])
    #expect(unit.channelCapabilities == [.matching])
    #expect(try Trim(channelCounts: [1]).outputBusses[0].format.channelCount == 1)
    #expect(throws: BusError.self) {
      try unit.outputBusses[0].setFormat(AudioFormat(sampleRate: 48_000, channelCount: 3))
    }
  }
}
