// What every effect promises of its presets, its state and its bypass.

import TestSupport
import Testing
import UnitModel
import UnitTestSupport

@Suite struct EffectStateTests {
  @Test(arguments: EffectKind.all)
  func aDocumentBringsBackTheSameSoundToTheBit(kind: EffectKind) throws {
    let input = Signal.noise(frames: 3000, seed: 1)
    for seed: UInt64 in 1..<6 {
      let first = try kind.make()
      var random = SeededRandom(seed: seed)
      for parameter in first.setParameters {
        try parameter.setValue(parameter.randomValue(using: &random))
      }
      let second = try kind.make()
      try second.setFullStateForDocument(first.fullStateForDocument)
      #expect(second.allParameterValues == first.allParameterValues)
      try first.allocate(channels: 1)
      try second.allocate(channels: 1)
      let outputs = try [first, second].map { try DirectHost($0).run([input])[0] }
      #expect(firstBitDifference(outputs[0], outputs[1]) == nil)
    }
  }

  @Test(arguments: EffectKind.all)
  func everyFactoryPresetSetsItsValuesAndSounds(kind: EffectKind) throws {
    let presets = try kind.make().factoryPresets
    #expect(!presets.isEmpty)
    #expect(presets.map(\.number) == Array(0..<presets.count))
    for preset in presets {
      let unit = try kind.make()
      let values = unit.factoryPresetValues(of: preset)
      #expect(!values.isEmpty)
      try unit.setCurrentPreset(preset)
      for (keyPath, value) in values {
        let parameter = try #require(unit.parameterTree.parameter(keyPath: keyPath))
        #expect(parameter.range.contains(value), "\(preset.name): \(keyPath)")
        #expect(parameter.value == value)
      }
      try unit.allocate(channels: 1)
      let output = try DirectHost(unit).run([Signal.noise(frames: 24_000, seed: 2)])[0]
      #expect((-30...12).contains(rootMeanSquareDecibels(output)), "\(preset.name)")
    }
  }

  /// Bypassed from frame 6400, back from 19 200 on: starts of cycles at every period used.
  private func run(_ kind: EffectKind, _ input: [Float], _ periods: Periods) throws -> [Float] {
    let unit = try kind.allocated()
    return try DirectHost(unit).run([input], periods: periods) { frame in
      if frame == 6400 { unit.shouldBypassEffect = true }
      if frame == 19_200 { unit.shouldBypassEffect = false }
    }[0]
  }

  @Test(arguments: EffectKind.all)
  func aBypassPassesTheInputAndComesAndGoesWithoutAClick(kind: EffectKind) throws {
    let noise = Signal.noise(frames: 25_600, seed: 3)
    let expected = try run(kind, noise, .fixed(256))
    let late = try kind.latencyFrames
    #expect(
      firstBitDifference(
        Array(expected[7360..<19_200]), Array(noise[(7360 - late)..<(19_200 - late)])) == nil)
    for period in [16, 64, 100, 640] {
      #expect(firstBitDifference(try run(kind, noise, .fixed(period)), expected) == nil)
    }
    let sine = Signal.sine(frames: 25_600, frequencyHertz: 500, amplitude: 0.5)
    let output = try run(kind, sine, .fixed(64))
    let own = max(largestStep(sine), largestStep(Array(output[5000..<6400])))
    // The fade adds its slope of 1 in 960 to a difference below 1.
    #expect(largestStep(Array(output[6300..<7500])) < own + 1.0 / 960)
    #expect(largestStep(Array(output[19_100..<20_300])) < own + 1.0 / 960)
  }

  @Test(arguments: EffectKind.all)
  func whatStartsBypassedPassesItsInputFromTheFirstFrameOn(kind: EffectKind) throws {
    let unit = try kind.make()
    unit.shouldBypassEffect = true
    try unit.allocate(channels: 1)
    let input = Signal.noise(frames: 2000, seed: 4)
    let output = try DirectHost(unit).run([input])[0]
    let late = try kind.latencyFrames
    #expect(
      firstBitDifference(output, Signal.silence(frames: late) + input.dropLast(late)) == nil)
  }
}
