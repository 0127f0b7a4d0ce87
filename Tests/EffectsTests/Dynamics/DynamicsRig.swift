// Dynamics units with chosen parameters, and their outputs.

import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

/// Sets a unit up for cycles of up to 2048 frames.
func prepared<Unit: AudioUnit>(
  _ unit: Unit, _ values: [String: Float] = [:], channels: Int = 1, rate: Double = 48_000
) throws -> Unit {
  for (keyPath, value) in values {
    try #require(unit.parameterTree.parameter(keyPath: keyPath)).setValue(value)
  }
  try unit.allocate(channels: channels, sampleRate: rate)
  return unit
}

/// Decibels of an amplitude.
func decibels(_ amplitude: Double) -> Double { 20 * log10(max(amplitude, 1e-12)) }

/// The amplitude of decibels.
func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

extension DirectHost {
  /// Renders the channels of the input and of the side-chain in cycles.
  func run(
    _ input: [[Float]], key: [[Float]], periods: Periods = .fixed(256)
  ) throws -> [[Float]] {
    var output = [[Float]](repeating: [], count: input.count)
    var frame = 0
    for length in periods.lengths(frames: input[0].count) {
      let part = { (channels: [[Float]]) in channels.map { Array($0[frame..<frame + length]) } }
      let cycle = try render(length, inputs: [part(input), part(key)])
      for channel in input.indices { output[channel] += cycle[0][channel] }
      frame += length
    }
    return output
  }
}
