// Mixers whose inputs have chosen channel counts.

import MixerUnit
import TestSupport
import UnitModel
import UnitTestSupport

/// Returns a 48 kHz mixer with these inputs, and with resources for cycles of up to 1024 frames.
func mixer(_ inputs: [Int], channels: Int = 2, isMonoAtUnity: Bool = false, allocates: Bool = true)
  throws -> MixerUnit
{
  let unit = try MixerUnit(MixerLayout(channels: channels, isMonoAtUnity: isMonoAtUnity))
  try unit.inputBusses.setBusCount(inputs.count)
  for (bus, count) in zip(unit.inputBusses.busses, inputs) {
    try bus.setFormat(AudioFormat(sampleRate: 48_000, channelCount: count))
  }
  try unit.setMaximumFramesToRender(1024)
  if allocates { try unit.allocateRenderResources() }
  return unit
}
