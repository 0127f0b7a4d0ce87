// A tone generator, run as by a host.

import Effects
import Realtime
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

/// A mono unit with resources for cycles of up to 2048 frames.
func makeTone(_ values: [String: Float] = [:], sampleRate: Double = 48_000) throws -> ToneUnit {
  let unit = try ToneUnit()
  for (keyPath, value) in values {
    try #require(unit.parameterTree.parameter(keyPath: keyPath)).setValue(value)
  }
  try unit.allocate(channels: 1, sampleRate: sampleRate)
  return unit
}

/// Renders frames of one channel in cycles, with messages on their frames.
func listen(
  _ host: DirectHost, frames: Int, periods: Periods = .fixed(256),
  midi: [(frame: Int, bytes: [UInt8])] = []
) throws -> [Float] {
  var output: [Float] = []
  for length in periods.lengths(frames: frames) {
    let range = output.count..<output.count + length
    let messages = midi.filter { range.contains($0.frame) }.map {
      DirectHost.MIDI(offset: $0.frame - range.lowerBound, $0.bytes)
    }
    output += try host.render(length, midi: messages)[0][0]
  }
  return output
}

/// The output of a unit from its first frame on.
func play(
  _ values: [String: Float], frames: Int, sampleRate: Double = 48_000,
  _ moves: [ParameterMove] = [], periods: Periods = .fixed(256)
) throws -> [Float] {
  let unit = try makeTone(
    values.merging(["playing": 1]) { given, _ in given }, sampleRate: sampleRate)
  try unit.schedule(moves)
  return try listen(DirectHost(unit), frames: frames, periods: periods)
}
