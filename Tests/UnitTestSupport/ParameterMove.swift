// Parameter changes of tests.

import Foundation
import Realtime
import TestSupport
import UnitModel

/// A parameter change of a test. With `rampFrames` 0 it sets the value.
public struct ParameterMove: Sendable {
  public var frame: Int
  public var address: ParameterAddress
  public var value: Float
  public var rampFrames: Int

  public init(frame: Int, address: ParameterAddress, value: Float, rampFrames: Int = 0) {
    self.frame = frame
    self.address = address
    self.value = value
    self.rampFrames = rampFrames
  }

  /// Makes sets and ramps of all writable parameters of a unit, at random frames, some of them on
  /// one frame. Logarithmic parameters move by ratios.
  public static func random(
    _ count: Int, of unit: AudioUnit, frames: Int, seed: UInt64
  ) -> [ParameterMove] {
    var random = SeededRandom(seed: seed)
    let parameters = unit.parameterTree.allParameters.filter { $0.flags.contains(.writable) }
    var moves: [ParameterMove] = []
    for _ in 0..<count {
      let parameter = parameters.randomElement(using: &random)!
      let frame = Int.random(in: 0..<frames, using: &random)
      var lengths = [0]
      if parameter.flags.contains(.canRamp) {
        lengths += [1, Int.random(in: 2...3000, using: &random)]
      }
      moves.append(
        ParameterMove(
          frame: Int.random(in: 0..<8, using: &random) == 0 ? moves.last?.frame ?? frame : frame,
          address: parameter.address, value: parameter.randomValue(using: &random),
          rampFrames: lengths.randomElement(using: &random)!))
    }
    return moves
  }
}

extension Parameter {
  /// A random value of the range, whole if the parameter only has whole values.
  public func randomValue(using random: inout SeededRandom) -> Float {
    if isWhole { return Float(Int.random(in: Int(minValue)...Int(maxValue), using: &random)) }
    guard flags.contains(.displayLogarithmic), minValue > 0 else {
      return Float.random(in: range, using: &random)
    }
    let part = Float.random(in: 0...1, using: &random)
    return min(maxValue, max(minValue, minValue * exp(part * log(maxValue / minValue))))
  }
}

extension AudioUnit {
  public func schedule(_ moves: [ParameterMove]) throws {
    for move in moves {
      try scheduleParameter(
        move.address, value: move.value, at: .frame(FrameTime(move.frame)),
        rampFrames: move.rampFrames)
    }
  }

  /// Gives every bus a format, and allocates resources for cycles of up to 2048 frames.
  public func allocate(channels: Int, sampleRate: Double = 48_000) throws {
    let format = try AudioFormat(sampleRate: sampleRate, channelCount: channels)
    for bus in inputBusses.busses + outputBusses.busses { try bus.setFormat(format) }
    try setMaximumFramesToRender(2048)
    try allocateRenderResources()
  }
}
