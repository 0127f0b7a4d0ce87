// Keys of the environment in configurations.

import Configuration
import EnvironmentUnit
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel

@Suite struct LayoutTests {
  private func problems(_ values: [(String, ConfigurationValue.Content)]) -> [String] {
    var keys = UnitKeys()
    for (name, content) in values {
      keys.set(ConfigurationKey(name), to: ConfigurationValue(content))
    }
    return EnvironmentUnit.problems(in: keys).map(\.description)
  }

  private func ports(_ counts: Int...) -> ConfigurationValue.Content {
    .array(counts.map { ConfigurationValue(.integer($0)) })
  }

  @Test func wrongKeysAreRefusedWithTheAcceptedValues() {
    #expect(
      problems([("inputs", .integer(256)), ("ports", ports(1, 2)), ("hrtf", .string("a"))]) == [])
    for (values, parts) in [
      ([("inputs", .integer(257))], ["'inputs' is out of range: 257", "1 to 256"]),
      (
        [("ports", ports(1, 3))],
        [
          "an environment takes no input of 3 channels",
          "1, which is placed, and 2, which are passed through",
        ]
      ),
      (
        [("inputs", .integer(1)), ("ports", ports(1, 1))],
        ["'ports' has 2 inputs", "at most 1, as 'inputs' says"]
      ),
      ([("ports", .array([ConfigurationValue(.string("two"))]))], ["'ports'"]),
      ([("hrtf", .string(""))], ["'hrtf' is empty"]),
    ] as [([(String, ConfigurationValue.Content)], [String])] {
      let found = problems(values)
      #expect(found.count == 1)
      for part in parts { #expect(found.first?.contains(part) == true, "\(found)") }
    }
  }

  @Test func portsComeFirstWithTheirChannels() throws {
    let unit = try EnvironmentUnit(EnvironmentLayout(inputs: 4, ports: [1, 2]))
    #expect(unit.inputBusses.busses.map(\.format.channelCount) == [1, 2])
    try unit.inputBusses.setBusCount(4)
    #expect(throws: BusError.self) { try unit.inputBusses.setBusCount(5) }
    #expect(EnvironmentLayout(inputs: 1000).inputs == 256)
    #expect(EnvironmentLayout(inputs: 0, ports: [7]).ports == [2])
    var keys = UnitKeys()
    keys.set("ports", to: ConfigurationValue(ports(1, 2)))
    #expect(EnvironmentUnit.reservedInputs(keys) == 2)
  }

  @Test func allInputsThereMayBeAreHeard() throws {
    let unit = try environment(
      Array(repeating: 1, count: 256), ["inputs.256.x": 1, "inputs.256.volume": 2])
    var busses = Array(repeating: [Signal.silence(frames: 64)], count: 256)
    busses[255] = [Signal.constant(0.25, frames: 64)]
    let output = try DirectHost(unit).run(busses: busses)
    #expect(output[0].allSatisfy { abs($0) < 1e-6 } && output[1].allSatisfy { $0 == 0.5 })
  }

  @Test func aSOFAFileIsLookedUpAndRenamedForAnotherFile() throws {
    let folder = try TemporaryDirectory()
    try Data().write(to: folder.file("mine.sofa"))
    var keys = UnitKeys()
    keys.set("hrtf", to: ConfigurationValue(.string("mine.sofa")))
    let context = ConfigurationContext(file: folder.file("scene.toml"), environment: [:])
    let files = EnvironmentUnit.files(of: keys, context)
    #expect(files.map(\.url.path) == [folder.file("mine.sofa").path])
    let elsewhere = URL(fileURLWithPath: "/elsewhere/scene.toml")
    try EnvironmentUnit.rename(
      &keys, from: context, to: elsewhere, naming: { _ in nil }, addsSums: false)
    #expect(
      try keys["hrtf"]?.name("hrtf").value == folder.file("mine.sofa").standardizedFileURL.path)
  }

  @Test func aProgramSetsTheSpaceByItsNames() throws {
    let unit = try EnvironmentUnit()
    unit.distance.model = .linear
    unit.distance.reference = 2
    unit.distance.maximum = 50
    unit.distance.rollOff = 99
    unit.reverb.isOn = true
    unit.reverb.preset = .largeHall
    unit.reverb.level = -6
    unit.reverb.filter.kind = .highShelf
    unit.reverb.filter.frequency = 4000
    unit.reverb.filter.gain = 3
    unit.reverb.filter.bandwidth = .nan
    unit.reverb.filter.bypass = false
    let set = Dictionary(
      uniqueKeysWithValues: unit.parameterTree.allParameters.map { ($0.keyPath, $0) })
    for (keyPath, value) in [
      ("distance.model", 1), ("distance.reference", 2), ("distance.maximum", 50),
      ("distance.rollOff", 10), ("reverb.on", 1), ("reverb.preset", 6), ("reverb.level", -6),
      ("reverb.filter.kind", 8), ("reverb.filter.frequency", 4000), ("reverb.filter.gain", 3),
      ("reverb.filter.bandwidth", 1), ("reverb.filter.bypass", 0),
    ] as [(String, Float)] {
      #expect(set[keyPath]?.value == value, "\(keyPath)")
    }
    let distance = unit.distance
    #expect(distance.model == .linear && distance.reference == 2)
    #expect(distance.maximum == 50 && distance.rollOff == 10)
    let reverb = unit.reverb
    #expect(reverb.isOn && reverb.preset == .largeHall && reverb.level == -6)
    #expect(reverb.filter.kind == .highShelf && !reverb.filter.bypass)
    #expect(reverb.filter.frequency == 4000 && reverb.filter.gain == 3)
    #expect(reverb.filter.bandwidth == 1)
    unit.reverb.level = -.infinity
    #expect(reverb.level == -40)
  }
}
