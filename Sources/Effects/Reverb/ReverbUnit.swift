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
/// AUv3: the unit of `AVAudioUnitReverb`.
public final class ReverbUnit: WetUnit, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "rvrb", manufacturer: "Aurc"),
    name: "Reverb", shortName: "reverb", tags: ["Reverb"]
  ) { description, _ in
    try ReverbUnit(componentDescription: description)
  }

  /// The time in seconds in which the sound falls by 60 dB.
  @Parameter(
    identifier: "decay", name: "Decay", address: 0, range: 0.1...20, unit: .seconds,
    flags: [.readable, .writable, .displayLogarithmic])
  public var decay: Float = 1.5
  /// The damping in per cent: the highest frequencies decay (1 − 0.95 · damping / 100) times as
  /// long as the lowest.
  @Parameter(identifier: "damping", name: "Damping", address: 1, range: 0...100, unit: .percent)
  public var damping: Float = 30
  /// The width in per cent; 0 is mono.
  @Parameter(
    identifier: "width", name: "Width", address: 2, range: 0...100, unit: .percent,
    flags: .ramping)
  public var width: Float = 100
  /// The mix in per cent: 0 is the input only, 100 the room only.
  @Parameter(
    identifier: "mix", name: "Mix", address: 3, range: 0...100, unit: .percent, flags: .ramping)
  public var mix: Float = 30

  /// Makes a reverb without render resources.
  ///
  /// - Throws: as the initializer of `EffectUnit`.
  /// - Thread: [control]
  public init(componentDescription: ComponentDescription = ReverbUnit.component.description) throws
  {
    try super.init(
      componentDescription, parameters: [_decay, _damping, _width, _mix], presets: Self.presets)
  }

  /// The time of a decay by 100 dB, after 0.1 s for the path through the room, in seconds.
  public override var tailTime: Double { 0.1 + Double(decay) * 100 / 60 }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    var settings = Reverb.Settings()
    settings.decaySeconds = Double(decay)
    settings.damping = Double(damping) / 100
    settings.width = Double(width) / 100
    settings.level = 1
    let reverb = Reverb(sampleRate: try checkedSampleRate(), settings: settings)
    return RenderResources(kernel(reverb), for: self, render: reverbRender, reset: reverbReset)
  }

  private static let presets = ReverbPreset.allCases.map { preset in
    let room = preset.room()
    return FactoryPreset(
      preset.name,
      [
        "decay": room.decay, "damping": room.damping, "width": room.width, "mix": preset.mix(),
      ])
  }
}
