// The control side shared by a reverb and a chorus.

import UnitModel
import UnitRender

/// An effect that makes two channels from one: one channel in and one or two out, or two in and two
/// out.
public class WetUnit: EffectUnit, @unchecked Sendable {
  init(
    _ description: ComponentDescription, parameters: [ParameterNode], presets: [FactoryPreset]
  ) throws {
    try super.init(
      componentDescription: description, channelCounts: [1, 2], parameters: parameters,
      factoryPresets: presets)
  }

  public override var channelCapabilities: [ChannelCapability]? {
    [
      ChannelCapability(inputs: 2, outputs: 2), ChannelCapability(inputs: 1, outputs: 2),
      ChannelCapability(inputs: 1, outputs: 1),
    ]
  }

  /// Returns the sample rate.
  /// - Throws: `failed` for a rate outside 8000 to 384,000 Hz.
  func checkedSampleRate() throws(AudioUnitError) -> Double {
    guard (8000...384_000).contains(sampleRate) else {
      throw .failed("it runs at 8000 to 384000 frames per second, and not at \(Int(sampleRate))")
    }
    return sampleRate
  }

  func kernel<Effect: WetEffect & ~Copyable>(_ effect: consuming Effect) -> WetKernel<Effect> {
    WetKernel(
      effect, inputCount: inputBusses[0].format.channelCount,
      outputCount: outputBusses[0].format.channelCount, sampleRate: sampleRate,
      maximumFrames: maximumFramesToRender, values: parameterValues,
      parameters: parameterTree.allParameters.map(\.limits))
  }
}
