// The delay's control side.

import DSP
import UnitModel
import UnitRender

/// A delay with repeating echoes, each duller than the one before. It takes any channel count, with
/// as many outputs as inputs, and delays each channel separately. `Echo` has the formulas.
///
/// Every parameter ramps. During a ramp the delay glides, and the pitch with it. If the delay is
/// set without a ramp, the output crossfades to it within 20 ms. Bypass fades over the same time.
///
/// Parameters: `delay`, 0 to 2 s, default 0.5 (at least two frames); `feedback`, −100 to 100 %,
/// default 50; `cutoff` of the low-pass that each echo passes, 10 to 20 000 Hz, default 15 000;
/// `mix`, 0 to 100 %, default 50.
///
/// AUv3: the unit of `AVAudioUnitDelay`.
public final class DelayUnit: AudioUnit, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "dely", manufacturer: "Aurc"),
    name: "Delay", shortName: "delay"
  ) { description, _ in
    try DelayUnit(componentDescription: description)
  }

  public static let delayAddress: ParameterAddress = 0
  public static let feedbackAddress: ParameterAddress = 1
  public static let cutoffAddress: ParameterAddress = 2
  public static let mixAddress: ParameterAddress = 3

  /// - Thread: [control]
  public init(componentDescription: ComponentDescription = DelayUnit.component.description) throws {
    let flags: ParameterFlags = [.readable, .writable, .canRamp]
    try super.init(
      componentDescription: componentDescription,
      inputBusses: BusArray(.input, [Bus(.input, name: "Input")]),
      outputBusses: BusArray(.output, [Bus(.output, name: "Output")]),
      parameterTree: ParameterTree(children: [
        Parameter(
          identifier: "delay", name: "Delay", address: Self.delayAddress, range: 0...2,
          defaultValue: 0.5, unit: .seconds, flags: flags),
        Parameter(
          identifier: "feedback", name: "Feedback", address: Self.feedbackAddress,
          range: -100...100, defaultValue: 50, unit: .percent, flags: flags),
        Parameter(
          identifier: "cutoff", name: "Cutoff", address: Self.cutoffAddress, range: 10...20_000,
          defaultValue: 15_000, unit: .hertz, flags: flags.union(.displayLogarithmic)),
        Parameter(
          identifier: "mix", name: "Mix", address: Self.mixAddress, range: 0...100,
          defaultValue: 50, unit: .percent, flags: flags),
      ]))
  }

  public override var channelCapabilities: [ChannelCapability]? { [.matching] }

  /// The time in which the echoes decay by 100 dB; infinity if they do not end.
  public override var tailTime: Double {
    Echo.tailSeconds(settings, sampleRate: outputBusses[0].format.sampleRate)
  }

  public override var factoryPresets: [Preset] {
    DelayPreset.all.enumerated().map { Preset(number: $0, name: $1.name) }
  }

  public override func factoryPresetValues(of preset: Preset) -> [String: Float] {
    DelayPreset.all.indices.contains(preset.number) ? DelayPreset.all[preset.number].values : [:]
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let (rate, settings) = (outputBusses[0].format.sampleRate, settings)
    return try RenderResources(channelsOf: self, render: delayRender, reset: delayReset) { _ in
      DelayKernel(sampleRate: rate, settings: settings)
    }
  }

  private var settings: Echo.Settings {
    var settings = Echo.Settings()
    settings.delaySeconds = Double(parameterValues[0])
    settings.feedback = Double(parameterValues[1])
    settings.cutoffHertz = Double(parameterValues[2])
    settings.mix = Double(parameterValues[3])
    return settings
  }
}

/// A factory preset of the delay.
struct DelayPreset {
  let name: String
  let values: [String: Float]

  static let all = [
    DelayPreset(
      name: "Slapback", values: ["delay": 0.11, "feedback": 0, "cutoff": 9000, "mix": 35]),
    DelayPreset(
      name: "Echo", values: ["delay": 0.375, "feedback": 45, "cutoff": 15_000, "mix": 35]),
    DelayPreset(
      name: "Tape", values: ["delay": 0.5, "feedback": 65, "cutoff": 2500, "mix": 40]),
    DelayPreset(
      name: "Karaoke", values: ["delay": 0.18, "feedback": 30, "cutoff": 6000, "mix": 30]),
  ]
}
