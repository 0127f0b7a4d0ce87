// A state holds every setting, and a wrong one changes nothing.

import Foundation
import TestSupport
import Testing
import UnitModel

@Suite struct StateTests {
  @Test func everyStateComesBackAsItWas() throws {
    var random = SeededRandom(seed: 3)
    for isAllocated in [false, true] {
      for _ in 0..<50 {
        let unit = try GainUnit()
        if isAllocated { try unit.allocateRenderResources() }
        for parameter in unit.parameterTree.allParameters where parameter.flags.contains(.writable)
        {
          let value = Float.random(in: parameter.range, using: &random)
          try parameter.setValue(parameter.identifier == "mode" ? Float(Int(value) % 2) : value)
        }
        unit.label = String(
          (0..<8).map { _ in Character(Unicode.Scalar(.random(in: 1...255, using: &random))) })
        unit.shouldBypassEffect = .random(using: &random)
        let other = try GainUnit()
        try other.setFullStateForDocument(unit.fullStateForDocument)
        #expect(other.allParameterValues == unit.allParameterValues)
        #expect(other.label == unit.label)
        #expect(other.shouldBypassEffect == unit.shouldBypassEffect)
        #expect(other.fullStateForDocument == unit.fullStateForDocument)

        let third = try GainUnit()
        try third.setFullState(unit.fullState)
        #expect(third.fullState == unit.fullState)
        #expect(third.parameterTree.parameter(keyPath: "wide")?.value == 0)
      }
    }
  }

  @Test func aStateHasTheStandardKeys() throws {
    let unit = try GainUnit()
    unit.gain.value = 2
    let state = unit.fullState
    #expect(
      Set(state.keys) == [
        "type", "subtype", "manufacturer", "version", "name", "data", "parameters", "settings",
      ])
    #expect(state["type"] == .integer(0x6175_6D66))
    #expect(state["name"] == "Untitled")
    // Scope 0, element 0, three parameters with addresses of 32 bits, each with a big-endian float.
    let data = Data([
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 10, 0x40, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0,
      0, 30, 0, 0, 0, 0,
    ])
    #expect(state["data"] == .data(data))
    #expect(state["parameters"] == ["amp.gain": 2.0, "amp.offset": 0.0, "mode": 0.0])
  }

  @Test func classicDataIsReadWhereOursIsMissing() throws {
    let unit = try GainUnit()
    unit.gain.value = 2
    var state = unit.fullState
    state["parameters"] = nil
    let other = try GainUnit()
    other.offset.value = 1
    try other.setFullState(state)
    #expect(other.gain.value == 2)
    #expect(other.offset.value == 0)
    for count in [1, 4, 13, 20] {
      state["data"] = .data(Data(repeating: 1, count: count))
      #expect(throws: StateError.self) { try other.setFullState(state) }
    }
  }

  @Test func valuesThatAStateLacksGetTheirDefaults() throws {
    let unit = try GainUnit()
    unit.gain.value = 3
    unit.label = "x"
    var state = unit.fullState
    state["parameters"] = [:]
    state["settings"] = nil
    try unit.setFullState(state)
    #expect(unit.gain.value == 1)
    #expect(unit.label == "none")
  }

  @Test func wrongStatesAreRefusedAndChangeNothing() throws {
    let unit = try GainUnit()
    unit.gain.value = 3
    unit.label = "mine"
    let good = try GainUnit().fullStateForDocument
    let before = unit.fullStateForDocument

    func refusal(_ change: (inout StateDictionary) -> Void) -> StateError? {
      var state = good
      change(&state)
      do {
        try unit.setFullStateForDocument(state)
        return nil
      } catch { return error }
    }
    func parameters(_ values: StateDictionary) -> StateError? {
      refusal { $0["parameters"] = .dictionary(values) }
    }
    let known = ["amp.gain", "amp.offset", "mode", "meter", "wide"]
    #expect(
      refusal { $0["subtype"] = 0x6169_6E67 }
        == .wrongComponent(found: "aumf/aing/Test", expected: "aumf/gain/Test"))
    #expect(
      refusal { $0["subtype"] = "gain" }
        == .wrongComponent(found: "no component", expected: "aumf/gain/Test"))
    #expect(refusal { $0["manufacturer"] = nil } == .missingEntry("manufacturer"))
    #expect(refusal { $0["extra"] = 1 } == .unknownEntry("extra"))
    #expect(
      refusal {
        $0["cpu-load"] = 1
        $0["type"] = nil
      } == .missingEntry("type"))
    #expect(
      refusal { $0["bypass"] = 1 }
        == .wrongKind("bypass", found: "an integer", expected: "a boolean"))
    #expect(
      refusal { $0["preset-number"] = 1.5 }
        == .wrongKind("preset-number", found: "a real", expected: "an integer"))
    #expect(
      refusal { $0["name"] = 1 } == .wrongKind("name", found: "an integer", expected: "a string"))
    #expect(
      refusal { $0["parameters"] = 3 }
        == .wrongKind("parameters", found: "an integer", expected: "a dictionary"))
    #expect(refusal { $0["settings"] = ["other": 1] } == .unknownEntry("other"))
    #expect(
      refusal { $0["settings"] = ["label": 1] }
        == .invalidSetting("label", reason: "give a string"))
    #expect(parameters(["gain": 1]) == .unknownParameter("gain", known: known))
    #expect(
      parameters(["amp.gain": "1"])
        == .wrongKind("amp.gain", found: "a string", expected: "a number"))
    #expect(parameters(["meter": 1]) == .parameter(.notWritable(keyPath: "meter")))
    #expect(
      parameters(["amp.gain": 1, "amp.offset": 1.5])
        == .valueOutOfRange("amp.offset", value: 1.5, range: -1...1))
    for value in [Double.nan, .infinity, 1e300] {
      #expect(parameters(["amp.gain": .real(value)]) != nil)
    }
    #expect(unit.fullStateForDocument == before)
    #expect(refusal { _ in } == nil)
  }

  @Test func documentsRememberTheCurrentPreset() throws {
    let unit = try GainUnit()
    try unit.setCurrentPreset(Preset(number: 1, name: "Quiet"))
    unit.gain.value = 2
    let other = try GainUnit()
    try other.setFullStateForDocument(unit.fullStateForDocument)
    #expect(other.currentPreset == Preset(number: 1, name: "Quiet"))
    #expect(other.gain.value == 2)
  }
}
