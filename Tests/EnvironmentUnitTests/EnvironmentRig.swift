// Environments whose inputs have chosen channel counts.

import EnvironmentUnit
import Foundation
import TestSupport
import UnitHost
import UnitModel
import UnitTestSupport

/// Returns an environment with these inputs and values, and with resources for up to 2048 frames.
func environment(
  _ inputs: [Int] = [1], sampleRate: Double = 48_000, _ values: [String: Float] = [:],
  allocates: Bool = true
) throws -> EnvironmentUnit {
  let unit = try EnvironmentUnit(EnvironmentLayout(inputs: max(inputs.count, 1)))
  try unit.inputBusses.setBusCount(inputs.count)
  for (bus, count) in zip(unit.inputBusses.busses, inputs) {
    try bus.setFormat(AudioFormat(sampleRate: sampleRate, channelCount: count))
  }
  try unit.outputBusses[0].setFormat(AudioFormat(sampleRate: sampleRate, channelCount: 2))
  try unit.setMaximumFramesToRender(2048)
  for (keyPath, value) in values { try unit.set(keyPath, value) }
  if allocates { try unit.allocateRenderResources() }
  return unit
}

/// Returns an environment with one mono input.
func environment(_ values: [String: Float], allocates: Bool = true) throws -> EnvironmentUnit {
  try environment([1], values, allocates: allocates)
}

/// Values of the algorithm parameter.
enum Algorithm {
  static let equalPower: Float = 0
  static let sphericalHead: Float = 1
  static let headResponses: Float = 2
  static let soundField: Float = 3
  static let passThrough: Float = 4
  static let all: [Float] = [0, 1, 2, 3, 4]
}

struct NoParameter: Error {}

extension AudioUnit {
  func set(_ keyPath: String, _ value: Float) throws {
    guard let parameter = parameterTree.parameter(keyPath: keyPath) else { throw NoParameter() }
    try parameter.setValue(value)
  }

  func address(_ keyPath: String) throws -> ParameterAddress {
    guard let parameter = parameterTree.parameter(keyPath: keyPath) else { throw NoParameter() }
    return parameter.address
  }

  func move(
    _ keyPath: String, to value: Float, at frame: Int, over frames: Int = 0
  ) throws -> ParameterMove {
    ParameterMove(
      frame: frame, address: try address(keyPath), value: value, rampFrames: frames)
  }
}

/// Returns an environment's response to an impulse.
func impulseResponse(
  _ values: [String: Float], sampleRate: Double = 48_000, frames: Int = 2048
) throws -> [[Double]] {
  let unit = try environment(sampleRate: sampleRate, values)
  return try DirectHost(unit).run(busses: [[Signal.impulse(frames: frames)]])
    .map { $0.map(Double.init) }
}

/// Returns the values that position the first input.
func at(
  _ x: Double, _ y: Double, _ z: Double, _ algorithm: Float = 0, _ more: [String: Float] = [:]
) -> [String: Float] {
  more.merging([
    "inputs.1.x": Float(x), "inputs.1.y": Float(y), "inputs.1.z": Float(z),
    "inputs.1.algorithm": algorithm,
  ]) { $1 }
}

/// Returns the linear gain of a response at a frequency.
func magnitude(_ response: [Double], _ hertz: Double, _ sampleRate: Double = 48_000) -> Double {
  var (real, imaginary) = (0.0, 0.0)
  for (frame, sample) in response.enumerated() {
    let angle = 2 * Double.pi * hertz * Double(frame) / sampleRate
    real += sample * cos(angle)
    imaginary -= sample * sin(angle)
  }
  return (real * real + imaginary * imaginary).squareRoot()
}
