// The effects that come with Auricle.

import CombUnit
import DelayUnit
import DistortionUnit
import DynamicsUnit
import EQUnit
import FilterUnit
import SpaceUnit
import TestSupport
import Testing
import UnitModel
import UnitRender
import UnitTestSupport

/// An effect.
struct EffectKind: CustomTestStringConvertible, Sendable {
  let name: String
  /// Whether what it makes of a channel depends on the others.
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

extension AudioUnit {
  /// The parameters that can be set.
  var setParameters: [Parameter] {
    parameterTree.allParameters.filter { $0.flags.contains(.writable) }
  }
}

extension UnitHosting {
  /// Renders a cycle of 1000 frames in the memory of its input; a side-chain is silent.
  func renderInPlace(
    _ samples: inout [Float], insert: (HostedUnit) -> Void = { _ in }
  ) -> Int32 {
    var silence = Signal.silence(frames: 1000)
    return silence.withUnsafeMutableBufferPointer { silence in
      samples.withUnsafeMutableBufferPointer { samples in
        hosted.beginCycle(at: 0, frameCount: 1000)
        insert(hosted)
        for bus in 0..<Int(hosted.call.call.pointee.inputBusCount) {
          hosted.call.input(bus)[0] = bus == 0 ? samples.baseAddress : silence.baseAddress
        }
        hosted.call.output(0)[0] = samples.baseAddress
        let status = hosted.render(at: 0, frameCount: 1000)
        hosted.endCycle()
        return status
      }
    }
  }
}
