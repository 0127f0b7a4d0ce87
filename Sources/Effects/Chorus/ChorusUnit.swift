// The chorus's control side.

import DSP
public import UnitModel
import UnitRender

/// A chorus, the sampler's as a separate unit. It mixes in copies of all channels together, on both
/// sides, delayed by varying times. It takes one channel in and one or two out, or two in and two
/// out. `Chorus` has the algorithm.
///
/// Together the copies are about as loud as the input. The mix ramps; voices, depth and wave
/// crossfade within 20 ms. Bypass fades over the same time.
///
/// Parameters: `voices`, 1 to 8, default 3; `rate`, 0.1 to 5 Hz, default 0.8; `depth`, from the
/// shortest delay to the longest, 0 to 20 ms, default 3; `wave`, sine or triangle; `mix`, 0 to
/// 100 %, default 50.
public final class ChorusUnit: AudioUnit, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "chor", manufacturer: "Aurc"),
    name: "Chorus", shortName: "chorus"
  ) { description, _ in
    try ChorusUnit(componentDescription: description)
  }

  public static let voicesAddress: ParameterAddress = 0
  public static let rateAddress: ParameterAddress = 1
  public static let depthAddress: ParameterAddress = 2
  public static let waveAddress: ParameterAddress = 3
  public static let mixAddress: ParameterAddress = 4

  /// - Thread: [control]
  public init(componentDescription: ComponentDescription = ChorusUnit.component.description) throws
  {
    try super.init(
      componentDescription: componentDescription, inputBusses: WetBusses.input(),
      outputBusses: WetBusses.output(),
      parameterTree: ParameterTree(children: [
        Parameter(
          identifier: "voices", name: "Voices", address: Self.voicesAddress, range: 1...8,
          defaultValue: 3, isWhole: true),
        Parameter(
          identifier: "rate", name: "Rate", address: Self.rateAddress, range: 0.1...5,
          defaultValue: 0.8, unit: .hertz, flags: [.readable, .writable, .displayLogarithmic]),
        Parameter(
          identifier: "depth", name: "Depth", address: Self.depthAddress, range: 0...20,
          defaultValue: 3, unit: .milliseconds),
        Parameter(
          identifier: "wave", name: "Wave", address: Self.waveAddress, range: 0...1,
          unit: .indexed, valueStrings: ["Sine", "Triangle"]),
        Parameter(
          identifier: "mix", name: "Mix", address: Self.mixAddress, range: 0...100,
          defaultValue: 50, unit: .percent, flags: [.readable, .writable, .canRamp]),
      ]))
  }

  public override var channelCapabilities: [ChannelCapability]? { WetBusses.capabilities }

  /// The longest delay.
  public override var tailTime: Double {
    Chorus.tailSeconds(depthMilliseconds: Double(parameterValues[2]))
  }

  public override var factoryPresets: [Preset] {
    Self.presets.enumerated().map { Preset(number: $0, name: $1.name) }
  }

  public override func factoryPresetValues(of preset: Preset) -> [String: Float] {
    Self.presets.indices.contains(preset.number) ? Self.presets[preset.number].values : [:]
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    var settings = Chorus.Settings()
    settings.voices = Int(parameterValues[0].rounded())
    settings.level = Chorus.level(voices: settings.voices)
    settings.speedHertz = Double(parameterValues[1])
    settings.depthMilliseconds = Double(parameterValues[2])
    settings.isTriangle = parameterValues[3] >= 0.5
    let chorus = Chorus(sampleRate: try WetBusses.sampleRate(of: self), settings: settings)
    return RenderResources(
      WetBusses.kernel(chorus, of: self), for: self, render: chorusRender, reset: chorusReset)
  }

  private static let presets: [(name: String, values: [String: Float])] = [
    preset("Gentle", 2, 0.4, 2, 0, 35),
    preset("Ensemble", 4, 0.7, 5, 0, 50),
    preset("Strings", 6, 0.35, 8, 0, 55),
    preset("Twelve Strings", 2, 1.1, 1.5, 1, 45),
    preset("Vibrato", 1, 5, 1.5, 0, 100),
  ]

  private static func preset(
    _ name: String, _ voices: Float, _ rate: Float, _ depth: Float, _ wave: Float, _ mix: Float
  ) -> (name: String, values: [String: Float]) {
    (name, ["voices": voices, "rate": rate, "depth": depth, "wave": wave, "mix": mix])
  }
}
