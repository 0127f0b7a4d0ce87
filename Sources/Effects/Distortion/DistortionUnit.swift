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
/// AUv3: the unit of `AVAudioUnitDistortion`.
public final class DistortionUnit: EffectUnit, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "dist", manufacturer: "Aurc"),
    name: "Distortion", shortName: "distortion", tags: ["Distortion"]
  ) { description, _ in
    try DistortionUnit(componentDescription: description)
  }

  /// The curve: soft, tube, hard, fold or octave.
  @Parameter(
    identifier: "shape", name: "Shape", address: 0, range: 0...4, unit: .indexed,
    valueStrings: ["Soft", "Tube", "Hard", "Fold", "Octave"])
  public var shape: Float = 0
  /// The gain before the curve, in decibels.
  @Parameter(
    identifier: "preGain", name: "Pre-gain", address: 1, range: -24...40, unit: .decibels,
    flags: .ramping)
  public var preGain: Float = 12
  /// The gain after the curve, in decibels.
  @Parameter(
    identifier: "gain", name: "Gain", address: 2, range: -40...20, unit: .decibels,
    flags: .ramping)
  public var gain: Float = 0
  /// The mix in per cent: 0 is the input only, 100 the curve only.
  @Parameter(
    identifier: "mix", name: "Mix", address: 3, range: 0...100, unit: .percent, flags: .ramping)
  public var mix: Float = 100

  /// Makes a distortion without render resources.
  ///
  /// - Throws: as the initializer of `EffectUnit`.
  /// - Thread: [control]
  public init(
    componentDescription: ComponentDescription = DistortionUnit.component.description
  ) throws {
    try super.init(
      componentDescription: componentDescription, parameters: [_shape, _preGain, _gain, _mix],
      factoryPresets: Self.presets)
  }

  /// The latency of the filters around the curve: 56 frames, in seconds.
  public override var latency: Double {
    Double(Distortion.latencyFrames) / sampleRate
  }

  /// The time in which the filters' state decays by 100 dB, in seconds.
  public override var tailTime: Double { Distortion.tailSeconds(sampleRate: sampleRate) }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    try RenderResources(channelsOf: self, render: distortionRender, reset: distortionReset) { _ in
      Distortion(sampleRate: sampleRate, settings: settings)
    }
  }

  private var settings: Distortion.Settings {
    var settings = Distortion.Settings()
    settings.shape = DistortionShape(place: Int(shape.rounded()))
    settings.driveDecibels = Double(preGain)
    settings.gainDecibels = Double(gain)
    settings.mix = Double(mix)
    return settings
  }

  private static func preset(
    _ name: String, _ shape: Float, _ preGain: Float, _ gain: Float, _ mix: Float
  ) -> FactoryPreset {
    FactoryPreset(name, ["shape": shape, "preGain": preGain, "gain": gain, "mix": mix])
  }

  private static let presets = [
    preset("Warmth", 1, 3, -3, 50),
    preset("Overdrive", 0, 18, -4, 100),
    preset("Tube Amp", 1, 24, -6, 100),
    preset("Fuzz", 2, 36, -9, 100),
    preset("Limiter Crunch", 2, 9, -3, 100),
    preset("Wave Folder", 3, 14, -6, 100),
    preset("Octave Up", 4, 12, -12, 70),
  ]
}
