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
public final class ChorusUnit: WetUnit, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "chor", manufacturer: "Aurc"),
    name: "Chorus", shortName: "chorus", tags: ["Modulation"]
  ) { description, _ in
    try ChorusUnit(componentDescription: description)
  }

  /// The number of copies.
  @Parameter(identifier: "voices", name: "Voices", address: 0, range: 1...8, isWhole: true)
  public var voices: Float = 3
  /// The rate in hertz at which the delays vary.
  @Parameter(
    identifier: "rate", name: "Rate", address: 1, range: 0.1...5, unit: .hertz,
    flags: [.readable, .writable, .displayLogarithmic])
  public var rate: Float = 0.8
  /// The difference of the longest delay from the shortest, in milliseconds.
  @Parameter(
    identifier: "depth", name: "Depth", address: 2, range: 0...20, unit: .milliseconds)
  public var depth: Float = 3
  /// The wave by which the delays vary: sine or triangle.
  @Parameter(
    identifier: "wave", name: "Wave", address: 3, range: 0...1, unit: .indexed,
    valueStrings: ["Sine", "Triangle"])
  public var wave: Float = 0
  /// The mix in per cent: 0 is the input only, 100 the copies only.
  @Parameter(
    identifier: "mix", name: "Mix", address: 4, range: 0...100, unit: .percent, flags: .ramping)
  public var mix: Float = 50

  /// Makes a chorus without render resources.
  ///
  /// - Throws: as the initializer of `EffectUnit`.
  /// - Thread: [control]
  public init(componentDescription: ComponentDescription = ChorusUnit.component.description) throws
  {
    try super.init(
      componentDescription, parameters: [_voices, _rate, _depth, _wave, _mix],
      presets: Self.presets)
  }

  /// The longest delay, in seconds.
  public override var tailTime: Double { Chorus.tailSeconds(depthMilliseconds: Double(depth)) }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    var settings = Chorus.Settings()
    settings.voices = Int(voices.rounded())
    settings.level = Chorus.level(voices: settings.voices)
    settings.speedHertz = Double(rate)
    settings.depthMilliseconds = Double(depth)
    settings.isTriangle = wave >= 0.5
    let chorus = Chorus(sampleRate: try checkedSampleRate(), settings: settings)
    return RenderResources(kernel(chorus), for: self, render: chorusRender, reset: chorusReset)
  }

  private static let presets = [
    preset("Gentle", 2, 0.4, 2, 0, 35),
    preset("Ensemble", 4, 0.7, 5, 0, 50),
    preset("Strings", 6, 0.35, 8, 0, 55),
    preset("Twelve Strings", 2, 1.1, 1.5, 1, 45),
    preset("Vibrato", 1, 5, 1.5, 0, 100),
  ]

  private static func preset(
    _ name: String, _ voices: Float, _ rate: Float, _ depth: Float, _ wave: Float, _ mix: Float
  ) -> FactoryPreset {
    FactoryPreset(
      name, ["voices": voices, "rate": rate, "depth": depth, "wave": wave, "mix": mix])
  }
}
