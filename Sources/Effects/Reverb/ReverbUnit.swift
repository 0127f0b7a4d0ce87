// The reverb's control side.

import DSP
public import UnitModel
import UnitRender

/// A reverb, the sampler's as a separate unit: one room for all channels together, heard on both
/// sides. It takes one channel in and one or two out, or two in and two out. `Reverb` has the
/// algorithm.
///
/// Width and mix ramp; a set decay or damping is reached within 20 ms. Bypass fades over the same
/// time.
///
/// Parameters: `decay`, in which the sound falls by 60 dB, 0.1 to 20 s, default 1.5; `damping`, 0
/// to 100 %, default 30: the highest frequencies decay (1 − 0.95 · damping) times as long; `width`,
/// 0 (mono) to 100 %, default 100; `mix`, 0 to 100 %, default 30.
///
/// AUv3: the unit of `AVAudioUnitReverb`.
public final class ReverbUnit: AudioUnit, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "rvrb", manufacturer: "Aurc"),
    name: "Reverb", shortName: "reverb"
  ) { description, _ in
    try ReverbUnit(componentDescription: description)
  }

  public static let decayAddress: ParameterAddress = 0
  public static let dampingAddress: ParameterAddress = 1
  public static let widthAddress: ParameterAddress = 2
  public static let mixAddress: ParameterAddress = 3

  /// - Thread: [control]
  public init(componentDescription: ComponentDescription = ReverbUnit.component.description) throws
  {
    let ramps: ParameterFlags = [.readable, .writable, .canRamp]
    try super.init(
      componentDescription: componentDescription, inputBusses: WetBusses.input(),
      outputBusses: WetBusses.output(),
      parameterTree: ParameterTree(children: [
        Parameter(
          identifier: "decay", name: "Decay", address: Self.decayAddress, range: 0.1...20,
          defaultValue: 1.5, unit: .seconds, flags: [.readable, .writable, .displayLogarithmic]),
        Parameter(
          identifier: "damping", name: "Damping", address: Self.dampingAddress, range: 0...100,
          defaultValue: 30, unit: .percent),
        Parameter(
          identifier: "width", name: "Width", address: Self.widthAddress, range: 0...100,
          defaultValue: 100, unit: .percent, flags: ramps),
        Parameter(
          identifier: "mix", name: "Mix", address: Self.mixAddress, range: 0...100,
          defaultValue: 30, unit: .percent, flags: ramps),
      ]))
  }

  public override var channelCapabilities: [ChannelCapability]? { WetBusses.capabilities }

  /// The time of a decay by 100 dB, after 0.1 s for the path through the room.
  public override var tailTime: Double { 0.1 + Double(parameterValues[0]) * 100 / 60 }

  public override var factoryPresets: [Preset] {
    Self.presets.enumerated().map { Preset(number: $0, name: $1.name) }
  }

  public override func factoryPresetValues(of preset: Preset) -> [String: Float] {
    Self.presets.indices.contains(preset.number) ? Self.presets[preset.number].values : [:]
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    var settings = Reverb.Settings()
    settings.decaySeconds = Double(parameterValues[0])
    settings.damping = Double(parameterValues[1]) / 100
    settings.width = Double(parameterValues[2]) / 100
    settings.level = 1
    let reverb = Reverb(sampleRate: try WetBusses.sampleRate(of: self), settings: settings)
    return RenderResources(
      WetBusses.kernel(reverb, of: self), for: self, render: reverbRender, reset: reverbReset)
  }

  private static let presets = ReverbPreset.allCases.map { preset in
    let room = preset.room()
    let values: [String: Float] = [
      "decay": room.decay, "damping": room.damping, "width": room.width, "mix": preset.mix(),
    ]
    return (name: preset.name, values: values)
  }
}
