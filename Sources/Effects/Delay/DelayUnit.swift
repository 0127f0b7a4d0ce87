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
/// AUv3: the unit of `AVAudioUnitDelay`.
public final class DelayUnit: EffectUnit, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "dely", manufacturer: "Aurc"),
    name: "Delay", shortName: "delay", tags: ["Delay"]
  ) { description, _ in
    try DelayUnit(componentDescription: description)
  }

  /// The delay in seconds; at least two frames.
  @Parameter(
    identifier: "delay", name: "Delay", address: 0, range: 0...2, unit: .seconds, flags: .ramping)
  public var delay: Float = 0.5
  /// The feedback in per cent.
  @Parameter(
    identifier: "feedback", name: "Feedback", address: 1, range: -100...100, unit: .percent,
    flags: .ramping)
  public var feedback: Float = 50
  /// The cutoff in hertz of the low-pass that each echo passes.
  @Parameter(
    identifier: "cutoff", name: "Cutoff", address: 2, range: 10...20_000, unit: .hertz,
    flags: [.ramping, .displayLogarithmic])
  public var cutoff: Float = 15_000
  /// The mix in per cent: 0 is the input only, 100 the echoes only.
  @Parameter(
    identifier: "mix", name: "Mix", address: 3, range: 0...100, unit: .percent, flags: .ramping)
  public var mix: Float = 50

  /// Makes a delay without render resources.
  ///
  /// - Throws: as the initializer of `EffectUnit`.
  /// - Thread: [control]
  public init(componentDescription: ComponentDescription = DelayUnit.component.description) throws {
    try super.init(
      componentDescription: componentDescription, parameters: [_delay, _feedback, _cutoff, _mix],
      factoryPresets: Self.presets)
  }

  /// The time in which the echoes decay by 100 dB, in seconds; infinity if they do not end.
  public override var tailTime: Double { Echo.tailSeconds(settings, sampleRate: sampleRate) }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    try RenderResources(channelsOf: self, render: delayRender, reset: delayReset) { _ in
      Echo(sampleRate: sampleRate, settings: settings)
    }
  }

  private var settings: Echo.Settings {
    var settings = Echo.Settings()
    settings.delaySeconds = Double(delay)
    settings.feedback = Double(feedback)
    settings.cutoffHertz = Double(cutoff)
    settings.mix = Double(mix)
    return settings
  }

  private static let presets = [
    FactoryPreset("Slapback", ["delay": 0.11, "feedback": 0, "cutoff": 9000, "mix": 35]),
    FactoryPreset("Echo", ["delay": 0.375, "feedback": 45, "cutoff": 15_000, "mix": 35]),
    FactoryPreset("Tape", ["delay": 0.5, "feedback": 65, "cutoff": 2500, "mix": 40]),
    FactoryPreset("Karaoke", ["delay": 0.18, "feedback": 30, "cutoff": 6000, "mix": 30]),
  ]
}
