// The effects that come with Auricle.

import CombUnit
import DelayUnit
import EQUnit
import FilterUnit
import Testing
import UnitModel
import UnitTestSupport

/// An effect, and how long it may sound on.
struct EffectKind: CustomTestStringConvertible, Sendable {
  let name: String
  let make: @Sendable () throws -> AudioUnit

  static let all = [
    EffectKind(name: "filter") { try FilterUnit() },
    EffectKind(name: "comb") { try CombUnit() },
    EffectKind(name: "delay") { try DelayUnit() },
    EffectKind(name: "eq") { try EQUnit(bandCount: 6) },
  ]

  var testDescription: String { name }

  /// An effect with resources for cycles of up to 1024 frames, its parameters as they are at first.
  func allocated(channels: Int = 1, sampleRate: Double = 48_000) throws -> AudioUnit {
    let unit = try make()
    try unit.allocate(channels: channels, sampleRate: sampleRate)
    return unit
  }
}
