// The effects that come with Auricle.

import CombUnit
import DelayUnit
import DistortionUnit
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
    EffectKind(name: "distortion") { try DistortionUnit() },
    EffectKind(name: "eq") { try EQUnit(bandCount: 6) },
  ]

  var testDescription: String { name }

  /// How many frames the output is late at 48 kHz.
  var latencyFrames: Int {
    get throws { Int((try make().latency * 48_000).rounded()) }
  }

  /// An effect with resources for cycles of up to 1024 frames, its parameters as they are at first.
  func allocated(channels: Int = 1, sampleRate: Double = 48_000) throws -> AudioUnit {
    let unit = try make()
    try unit.allocate(channels: channels, sampleRate: sampleRate)
    return unit
  }
}
