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
///
/// Parameters: `delay`, 0.05 to 500 ms, default 10 (at least two frames); `feedback`, −99 to 99 %,
/// default 50; `feedforward`, −100 to 100 %, default 0; `damping`, 0 to 99 %, default 0; `mix`, 0
/// to 100 %, default 100.
public final class CombUnit: AudioUnit, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "comb", manufacturer: "Aurc"),
    name: "Comb Filter", shortName: "comb"
  ) { description, _ in
    try CombUnit(componentDescription: description)
  }

  public static let delayAddress: ParameterAddress = 0
  public static let feedbackAddress: ParameterAddress = 1
  public static let feedforwardAddress: ParameterAddress = 2
  public static let dampingAddress: ParameterAddress = 3
  public static let mixAddress: ParameterAddress = 4

  /// - Thread: [control]
  public init(componentDescription: ComponentDescription = CombUnit.component.description) throws {
    func percent(
      _ identifier: String, _ name: String, _ address: ParameterAddress,
      _ range: ClosedRange<Float>, _ defaultValue: Float
    ) -> Parameter {
      Parameter(
        identifier: identifier, name: name, address: address, range: range,
        defaultValue: defaultValue, unit: .percent, flags: [.readable, .writable, .canRamp])
    }
    try super.init(
      componentDescription: componentDescription,
      inputBusses: BusArray(.input, [Bus(.input, name: "Input")]),
      outputBusses: BusArray(.output, [Bus(.output, name: "Output")]),
      parameterTree: ParameterTree(children: [
        Parameter(
          identifier: "delay", name: "Delay", address: Self.delayAddress, range: 0.05...500,
          defaultValue: 10, unit: .milliseconds,
          flags: [.readable, .writable, .canRamp, .displayLogarithmic]),
        percent("feedback", "Feedback", Self.feedbackAddress, -99...99, 50),
        percent("feedforward", "Feed-forward", Self.feedforwardAddress, -100...100, 0),
        percent("damping", "Damping", Self.dampingAddress, 0...99, 0),
        percent("mix", "Mix", Self.mixAddress, 0...100, 100),
      ]))
  }

  public override var channelCapabilities: [ChannelCapability]? { [.matching] }

  /// The time in which the feedback decays by 100 dB.
  public override var tailTime: Double {
    CombFilter.tailSeconds(settings, sampleRate: outputBusses[0].format.sampleRate)
  }

  public override var factoryPresets: [Preset] {
    CombPreset.all.enumerated().map { Preset(number: $0, name: $1.name) }
  }

  public override func factoryPresetValues(of preset: Preset) -> [String: Float] {
    CombPreset.all.indices.contains(preset.number) ? CombPreset.all[preset.number].values : [:]
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let (rate, settings) = (outputBusses[0].format.sampleRate, settings)
    return try RenderResources(channelsOf: self, render: combRender, reset: combReset) { _ in
      CombKernel(sampleRate: rate, settings: settings)
    }
  }

  private var settings: CombFilter.Settings {
    var settings = CombFilter.Settings()
    settings.delayMilliseconds = Double(parameterValues[0])
    settings.feedback = Double(parameterValues[1])
    settings.feedforward = Double(parameterValues[2])
    settings.damping = Double(parameterValues[3])
    settings.mix = Double(parameterValues[4])
    return settings
  }
}

/// A factory preset of the comb filter.
struct CombPreset {
  let name: String
  let values: [String: Float]

  static let all = [
    CombPreset(
      name: "Metallic Ring",
      values: ["delay": 3.7, "feedback": 92, "feedforward": 0, "damping": 8, "mix": 45]),
    CombPreset(
      name: "Light Delay",
      values: ["delay": 140, "feedback": 25, "feedforward": 30, "damping": 20, "mix": 100]),
    CombPreset(
      name: "Wax Comb",
      values: ["delay": 9, "feedback": -78, "feedforward": 40, "damping": 62, "mix": 80]),
  ]
}
