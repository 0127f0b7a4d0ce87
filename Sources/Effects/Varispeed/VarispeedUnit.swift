// The varispeed's control side.

import DSP
public import UnitModel
import UnitRender

/// A varispeed that plays its input faster or slower, and thereby higher or lower, as a tape does.
/// It takes any channel count, with as many outputs as inputs.
///
/// The unit is a time effect: at rate r it takes r input frames for each output frame. It
/// interpolates with a windowed sinc whose pass band follows the rate, so that nothing aliases: the
/// stop band is at −100 dB. At rate 1 the output is bit-identical to the input, 192 frames later.
/// On a return to rate 1 the position glides onto the next whole frame within 2048 frames, by less
/// than half a cent. Bypass is rate 1.
///
/// Parameters: `rate`, 0.25 to 4, default 1. It ramps; a value set without a ramp applies at once.
///
/// AUv3: the unit of `AVAudioUnitVarispeed`.
public final class VarispeedUnit: AudioUnit, TimeEffect, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "vari", manufacturer: "Aurc"),
    name: "Varispeed", shortName: "varispeed"
  ) { description, _ in
    try VarispeedUnit(componentDescription: description)
  }

  public static let rateAddress: ParameterAddress = 0

  /// - Thread: [control]
  public init(componentDescription: ComponentDescription = VarispeedUnit.component.description)
    throws
  {
    try super.init(
      componentDescription: componentDescription,
      inputBusses: BusArray(.input, [Bus(.input, name: "Input")]),
      outputBusses: BusArray(.output, [Bus(.output, name: "Output")]),
      parameterTree: ParameterTree(children: [
        Parameter(
          identifier: "rate", name: "Rate", address: Self.rateAddress, range: 0.25...4,
          defaultValue: 1, unit: .rate,
          flags: [.readable, .writable, .canRamp, .displayLogarithmic])
      ]))
  }

  public override var channelCapabilities: [ChannelCapability]? { [.matching] }

  /// The latency at rate 1.
  public override var latency: Double { Double(VariableReader.delayFrames) / sampleRate }

  /// The time in which the delayed input plays out at the set rate, and the filter's ringing.
  public override var tailTime: Double {
    let rate = Double(parameterValues[0])
    let reach = Double(VariableReader.delayFrames) + 48 * max(1, rate)
    return reach / rate / sampleRate
  }

  public override var factoryPresets: [Preset] {
    Self.presets.enumerated().map { Preset(number: $0, name: $1.name) }
  }

  public override func factoryPresetValues(of preset: Preset) -> [String: Float] {
    Self.presets.indices.contains(preset.number)
      ? ["rate": Self.presets[preset.number].rate] : [:]
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let format = outputBusses[0].format
    return RenderResources(
      timeEffect: VarispeedKernel(
        channelCount: format.channelCount, sampleRate: format.sampleRate,
        maximumFrames: maximumFramesToRender, values: parameterValues), for: self,
      functions: TimeEffectRender(
        demand: varispeedDemand, take: varispeedTake, maximumRate: VarispeedKernel.maximumRate,
        extraFrames: VarispeedKernel.extraFrames), render: varispeedRender, reset: varispeedReset)
  }

  private static let presets: [(name: String, rate: Float)] = [
    ("Half Speed", 0.5), ("Fifth Down", 2 / 3), ("Fifth Up", 1.5), ("Double Speed", 2),
  ]
}
