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
/// AUv3: the unit of `AVAudioUnitVarispeed`.
public final class VarispeedUnit: EffectUnit, TimeEffect, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "vari", manufacturer: "Aurc"),
    name: "Varispeed", shortName: "varispeed", tags: ["Time", "Pitch"]
  ) { description, _ in
    try VarispeedUnit(componentDescription: description)
  }

  /// The rate: input frames for each output frame. A value set without a ramp applies at once.
  @Parameter(
    identifier: "rate", name: "Rate", address: 0, range: 0.25...4, unit: .rate,
    flags: [.ramping, .displayLogarithmic])
  public var rate: Float = 1

  /// Makes a varispeed without render resources.
  ///
  /// - Throws: as the initializer of `EffectUnit`.
  /// - Thread: [control]
  public init(componentDescription: ComponentDescription = VarispeedUnit.component.description)
    throws
  {
    try super.init(
      componentDescription: componentDescription, parameters: [_rate],
      factoryPresets: Self.presets)
  }

  /// The latency at rate 1, in seconds.
  public override var latency: Double { Double(VariableReader.delayFrames) / sampleRate }

  /// The time in which the delayed input plays out at the set rate, and the filter's ringing, in
  /// seconds.
  public override var tailTime: Double {
    let rate = Double(rate)
    let reach = Double(VariableReader.delayFrames) + 48 * max(1, rate)
    return reach / rate / sampleRate
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

  private static let presets = [
    FactoryPreset("Half Speed", ["rate": 0.5]), FactoryPreset("Fifth Down", ["rate": 2 / 3]),
    FactoryPreset("Fifth Up", ["rate": 1.5]), FactoryPreset("Double Speed", ["rate": 2]),
  ]
}
