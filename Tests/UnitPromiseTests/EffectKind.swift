// The effects that come with Auricle.

import Effects
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

/// An effect.
struct EffectKind: CustomTestStringConvertible, Sendable {
  let name: String
  /// Whether a channel's output depends on the other channels.
  let isLinked: Bool
  let make: @Sendable () throws -> AudioUnit

  init(
    name: String, isLinked: Bool = false, make: @escaping @Sendable () throws -> AudioUnit
  ) {
    self.name = name
    self.isLinked = isLinked
    self.make = make
  }

  static let all = [
    EffectKind(name: "filter") { try FilterUnit() },
    EffectKind(name: "comb") { try CombUnit() },
    EffectKind(name: "delay") { try DelayUnit() },
    EffectKind(name: "distortion") { try DistortionUnit() },
    EffectKind(name: "eq") { try EQUnit(bandCount: 6) },
    EffectKind(name: "compressor", isLinked: true) { try CompressorUnit() },
    EffectKind(name: "limiter", isLinked: true) { try LimiterUnit() },
    EffectKind(name: "gate", isLinked: true) { try GateUnit() },
    EffectKind(name: "reverb", isLinked: true) { try ReverbUnit() },
    EffectKind(name: "chorus", isLinked: true) { try ChorusUnit() },
  ]

  var testDescription: String { name }

  /// Makes an effect with resources for cycles of up to 2048 frames and default parameters.
  func allocated(channels: Int = 1, sampleRate: Double = 48_000) throws -> AudioUnit {
    let unit = try make()
    try unit.allocate(channels: channels, sampleRate: sampleRate)
    return unit
  }
}
