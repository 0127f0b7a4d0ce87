// The distortion's control side.

import DSP
import UnitModel
import UnitRender

/// A distortion: a curve between two gains, at eight times the sample rate, mixed with the input.
/// It takes any channel count, with as many outputs as inputs, and distorts each channel
/// separately. `Distortion` has the algorithm.
///
/// The latency is 56 frames, also that of the input in the mix. Drive, gain and mix ramp; a changed
/// curve crossfades within 20 ms.
///
/// Parameters: `shape`, default soft; `preGain` before the curve, −24 to 40 dB, default 12; `gain`
/// after it, −40 to 20 dB, default 0; `mix`, 0 to 100 %, default 100.
///
/// AUv3: the unit of `AVAudioUnitDistortion`.
public final class DistortionUnit: AudioUnit, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "dist", manufacturer: "Aurc"),
    name: "Distortion", shortName: "distortion"
  ) { description, _ in
    try DistortionUnit(componentDescription: description)
  }

  public static let shapeAddress: ParameterAddress = 0
  public static let preGainAddress: ParameterAddress = 1
  public static let gainAddress: ParameterAddress = 2
  public static let mixAddress: ParameterAddress = 3

  /// - Thread: [control]
  public init(
    componentDescription: ComponentDescription = DistortionUnit.component.description
  ) throws {
    let flags: ParameterFlags = [.readable, .writable, .canRamp]
    try super.init(
      componentDescription: componentDescription,
      inputBusses: BusArray(.input, [Bus(.input, name: "Input")]),
      outputBusses: BusArray(.output, [Bus(.output, name: "Output")]),
      parameterTree: ParameterTree(children: [
        Parameter(
          identifier: "shape", name: "Shape", address: Self.shapeAddress, range: 0...4,
          unit: .indexed, valueStrings: ["Soft", "Tube", "Hard", "Fold", "Octave"]),
        Parameter(
          identifier: "preGain", name: "Pre-gain", address: Self.preGainAddress, range: -24...40,
          defaultValue: 12, unit: .decibels, flags: flags),
        Parameter(
          identifier: "gain", name: "Gain", address: Self.gainAddress, range: -40...20,
          defaultValue: 0, unit: .decibels, flags: flags),
        Parameter(
          identifier: "mix", name: "Mix", address: Self.mixAddress, range: 0...100,
          defaultValue: 100, unit: .percent, flags: flags),
      ]))
  }

  public override var channelCapabilities: [ChannelCapability]? { [.matching] }

  /// The latency of the filters around the curve: 56 frames.
  public override var latency: Double {
    Double(Distortion.latencyFrames) / outputBusses[0].format.sampleRate
  }

  /// The time in which the filters' state decays by 100 dB.
  public override var tailTime: Double {
    Distortion.tailSeconds(sampleRate: outputBusses[0].format.sampleRate)
  }

  public override var factoryPresets: [Preset] {
    DistortionPreset.all.enumerated().map { Preset(number: $0, name: $1.name) }
  }

  public override func factoryPresetValues(of preset: Preset) -> [String: Float] {
    DistortionPreset.all.indices.contains(preset.number)
      ? DistortionPreset.all[preset.number].values : [:]
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let (rate, settings) = (outputBusses[0].format.sampleRate, settings)
    return try RenderResources(
      channelsOf: self, render: distortionRender, reset: distortionReset
    ) { _ in
      DistortionKernel(sampleRate: rate, settings: settings)
    }
  }

  private var settings: Distortion.Settings {
    var settings = Distortion.Settings()
    settings.shape = DistortionShape(place: Int(parameterValues[0].rounded()))
    settings.driveDecibels = Double(parameterValues[1])
    settings.gainDecibels = Double(parameterValues[2])
    settings.mix = Double(parameterValues[3])
    return settings
  }
}

/// A factory preset of the distortion.
struct DistortionPreset {
  let name: String
  let values: [String: Float]

  private init(_ name: String, _ shape: Int, _ preGain: Float, _ gain: Float, _ mix: Float) {
    self.name = name
    values = ["shape": Float(shape), "preGain": preGain, "gain": gain, "mix": mix]
  }

  static let all = [
    DistortionPreset("Warmth", 1, 3, -3, 50),
    DistortionPreset("Overdrive", 0, 18, -4, 100),
    DistortionPreset("Tube Amp", 1, 24, -6, 100),
    DistortionPreset("Fuzz", 2, 36, -9, 100),
    DistortionPreset("Limiter Crunch", 2, 9, -3, 100),
    DistortionPreset("Wave Folder", 3, 14, -6, 100),
    DistortionPreset("Octave Up", 4, 12, -12, 70),
  ]
}
