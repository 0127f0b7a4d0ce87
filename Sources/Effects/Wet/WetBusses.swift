// The control side shared by a reverb and a chorus.

import UnitModel
import UnitRender

/// Busses and kernels of effects that make two channels from one.
enum WetBusses {
  static var capabilities: [ChannelCapability] {
    [
      ChannelCapability(inputs: 2, outputs: 2), ChannelCapability(inputs: 1, outputs: 2),
      ChannelCapability(inputs: 1, outputs: 1),
    ]
  }

  static func input() throws(BusError) -> BusArray {
    BusArray(.input, [try Bus(.input, name: "Input", supportedChannelCounts: [1, 2])])
  }

  static func output() throws(BusError) -> BusArray {
    BusArray(.output, [try Bus(.output, name: "Output", supportedChannelCounts: [1, 2])])
  }

  /// Returns the unit's sample rate.
  /// - Throws: `failed` for a rate outside 8000 to 384,000 Hz.
  static func sampleRate(of unit: AudioUnit) throws(AudioUnitError) -> Double {
    let rate = unit.outputBusses[0].format.sampleRate
    guard (8000...384_000).contains(rate) else {
      throw .failed("it runs at 8000 to 384000 frames per second, and not at \(Int(rate))")
    }
    return rate
  }

  static func kernel<Effect: WetEffect & ~Copyable>(
    _ effect: consuming Effect, of unit: AudioUnit
  ) -> WetKernel<Effect> {
    WetKernel(
      effect, inputCount: unit.inputBusses[0].format.channelCount,
      outputCount: unit.outputBusses[0].format.channelCount,
      sampleRate: unit.outputBusses[0].format.sampleRate,
      maximumFrames: unit.maximumFramesToRender, values: unit.parameterValues,
      parameters: unit.parameterTree.allParameters.map(\.limits))
  }
}
