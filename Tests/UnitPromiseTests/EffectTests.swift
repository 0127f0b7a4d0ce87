// Promises of all effects, beyond the checks of a validator.

import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct EffectTests {
  /// Noise, silence, and noise again.
  static func signal(frames: Int, seed: UInt64) -> [Float] {
    Signal.noise(frames: frames / 2, seed: seed) + Signal.silence(frames: frames / 4)
      + Signal.noise(frames: frames - frames / 2 - frames / 4, seed: seed + 1)
  }

  @Test(arguments: EffectKind.all.filter { !$0.isLinked })
  func everyChannelIsMadeAsIfItWereAlone(kind: EffectKind) throws {
    let input = (0..<5).map { Self.signal(frames: 4000, seed: UInt64($0)) }
    let unit = try kind.allocated(channels: 5)
    let moves = ParameterMove.random(30, of: unit, frames: 4000, seed: 3)
    try unit.schedule(moves)
    let output = try DirectHost(unit).run(input, periods: .fixed(100))
    for channel in 0..<5 {
      let alone = try kind.allocated()
      try alone.schedule(moves)
      let expected = try DirectHost(alone).run([input[channel]])[0]
      #expect(firstBitDifference(output[channel], expected) == nil, "channel \(channel)")
    }
  }

  @Test(arguments: EffectKind.all)
  func everyFactoryPresetSetsSomethingAndSounds(kind: EffectKind) throws {
    let presets = try kind.make().factoryPresets
    #expect(!presets.isEmpty)
    for preset in presets {
      let unit = try kind.make()
      #expect(!unit.factoryPresetValues(of: preset).isEmpty)
      try unit.setCurrentPreset(preset)
      try unit.allocate(channels: 1)
      let output = try DirectHost(unit).run([Signal.noise(frames: 24_000, seed: 2)])[0]
      #expect((-30...12).contains(rootMeanSquareDecibels(output)), "\(preset.name)")
    }
  }
}
