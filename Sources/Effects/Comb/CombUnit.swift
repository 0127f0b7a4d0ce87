// The comb filter's control side.

import DSP
import UnitModel
import UnitRender

/// A comb filter: it adds delayed sound to the input, by feed-forward and feedback. It takes any
/// channel count, with as many outputs as inputs, and filters each channel separately.
///
/// Every parameter ramps. During a ramp the delay glides, and the pitch with it. If the delay is
/// set without a ramp, the output crossfades to it within 20 ms. Bypass fades over the same time.
/// `CombFilter` has the formulas.
public final class CombUnit: EffectUnit, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "comb", manufacturer: "Aurc"),
    name: "Comb Filter", shortName: "comb", tags: ["Filter", "Delay"]
  ) { description, _ in
    try CombUnit(componentDescription: description)
  }

  /// The delay in milliseconds; at least two frames.
  @Parameter(
    identifier: "delay", name: "Delay", address: 0, range: 0.05...500, unit: .milliseconds,
    flags: [.ramping, .displayLogarithmic])
  public var delay: Float = 10
  /// The feedback in per cent.
  @Parameter(
    identifier: "feedback", name: "Feedback", address: 1, range: -99...99, unit: .percent,
    flags: .ramping)
  public var feedback: Float = 50
  /// The feed-forward in per cent.
  @Parameter(
    identifier: "feedforward", name: "Feed-forward", address: 2, range: -100...100,
    unit: .percent, flags: .ramping)
  public var feedforward: Float = 0
  /// The damping in per cent.
  @Parameter(
    identifier: "damping", name: "Damping", address: 3, range: 0...99, unit: .percent,
    flags: .ramping)
  public var damping: Float = 0
  /// The mix in per cent: 0 is the input only, 100 the filter's output only.
  @Parameter(
    identifier: "mix", name: "Mix", address: 4, range: 0...100, unit: .percent, flags: .ramping)
  public var mix: Float = 100

  /// Makes a comb filter without render resources.
  ///
  /// - Throws: as the initializer of `EffectUnit`.
  /// - Thread: [control]
  public init(componentDescription: ComponentDescription = CombUnit.component.description) throws {
    try super.init(
      componentDescription: componentDescription,
      parameters: [_delay, _feedback, _feedforward, _damping, _mix], factoryPresets: Self.presets)
  }

  /// The time in which the feedback decays by 100 dB, in seconds.
  public override var tailTime: Double { CombFilter.tailSeconds(settings, sampleRate: sampleRate) }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    try RenderResources(channelsOf: self, render: combRender, reset: combReset) { _ in
      CombFilter(sampleRate: sampleRate, settings: settings)
    }
  }

  private var settings: CombFilter.Settings {
    var settings = CombFilter.Settings()
    settings.delayMilliseconds = Double(delay)
    settings.feedback = Double(feedback)
    settings.feedforward = Double(feedforward)
    settings.damping = Double(damping)
    settings.mix = Double(mix)
    return settings
  }

  private static let presets = [
    FactoryPreset(
      "Metallic Ring",
      ["delay": 3.7, "feedback": 92, "feedforward": 0, "damping": 8, "mix": 45]),
    FactoryPreset(
      "Light Delay",
      ["delay": 140, "feedback": 25, "feedforward": 30, "damping": 20, "mix": 100]),
    FactoryPreset(
      "Wax Comb", ["delay": 9, "feedback": -78, "feedforward": 40, "damping": 62, "mix": 80]),
  ]
}
