// Mixers with inputs of chosen channels.

import MixerUnit
import TestSupport
import UnitModel
import UnitTestSupport

/// A mixer of 48 kHz with resources for cycles of up to 1024 frames, and these inputs.
func mixer(_ inputs: [Int], channels: Int = 2, allocates: Bool = true) throws -> MixerUnit {
  let unit = try MixerUnit(MixerLayout(channels: channels))
  try unit.inputBusses.setBusCount(inputs.count)
  for (bus, count) in zip(unit.inputBusses.busses, inputs) {
    try bus.setFormat(AudioFormat(sampleRate: 48_000, channelCount: count))
  }
  try unit.setMaximumFramesToRender(1024)
  if allocates { try unit.allocateRenderResources() }
  return unit
}

extension DirectHost {
  /// Renders the channels of all inputs, by bus, in cycles.
  func run(
    busses: Busses, periods: Periods = .fixed(256), between: (Int) throws -> Void = { _ in }
  ) throws -> [[Float]] {
    var output: [[Float]] = []
    var frame = 0
    for length in periods.lengths(frames: busses.first?.first?.count ?? 0) {
      try between(frame)
      let cycle = try render(
        length, inputs: busses.map { $0.map { Array($0[frame..<frame + length]) } })[0]
      if output.isEmpty { output = Array(repeating: [], count: cycle.count) }
      for channel in cycle.indices { output[channel] += cycle[channel] }
      frame += length
    }
    return output
  }
}
