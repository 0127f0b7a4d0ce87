// The compressor's control side.

import DSP
public import UnitModel
import UnitRender

/// A compressor. `Compressor` has the formulas, `DynamicsProcessor` the parts shared with others.
/// The look-ahead is 0 ms by default.
///
/// AUv3: `AUDynamicsProcessor`.
public final class CompressorUnit: DynamicsProcessor, @unchecked Sendable {
  public static let component = component(lookAhead: usualLookAhead)

  public static func component(lookAhead: Double) -> Component {
    Component(
      description: ComponentDescription(type: .effect, subtype: "cmpr", manufacturer: "Aurc"),
      name: "Compressor", shortName: "compressor", unitType: CompressorUnit.self, tags: ["Dynamics"]
    ) { description, _ in
      try CompressorUnit(lookAhead: lookAhead, componentDescription: description)
    }
  }

  /// The threshold in decibels.
  @Parameter(decibels: -60...0, "threshold", "Threshold", 0) public var threshold: Float = -20
  /// The ratio of input to output above the threshold.
  @Parameter(
    identifier: "ratio", name: "Ratio", address: 1, range: 1...20, unit: .ratio,
    flags: [.ramping, .displayLogarithmic])
  public var ratio: Float = 4
  /// The knee in decibels.
  @Parameter(decibels: 0...24, "knee", "Knee", 2) public var knee: Float = 6
  /// The attack in milliseconds.
  @Parameter(milliseconds: 0.1...200, "attack", "Attack", 3) public var attack: Float = 10
  /// The release in milliseconds.
  @Parameter(milliseconds: 5...2000, "release", "Release", 4) public var release: Float = 120
  /// The gain after it, in decibels.
  @Parameter(decibels: -12...36, "gain", "Gain", 5) public var gain: Float = 0

  /// Makes a compressor without render resources.
  ///
  /// - Parameter lookAhead: in milliseconds, limited to 0 to 20.
  /// - Throws: as the initializer of `EffectUnit`.
  /// - Thread: [control]
  public init(
    lookAhead: Double = 0,
    componentDescription: ComponentDescription = CompressorUnit.component.description
  ) throws {
    try super.init(
      componentDescription, lookAhead: lookAhead,
      parameters: [_threshold, _ratio, _knee, _attack, _release, _gain], presets: Self.presets)
  }

  private var settings: Compressor.Settings {
    var settings = Compressor.Settings()
    settings.thresholdDecibels = Double(threshold)
    settings.ratio = Double(ratio)
    settings.kneeDecibels = Double(knee)
    settings.attackMilliseconds = Double(attack)
    settings.releaseMilliseconds = Double(release)
    settings.makeUpDecibels = Double(gain)
    return settings
  }

  override func gainDecibels(ofLevel decibels: Double) -> Double {
    settings.gainDecibels(ofLevel: decibels)
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let computer = Compressor(sampleRate: sampleRate, settings: settings)
    return RenderResources(
      kernel(computer), for: self, render: compressorRender, reset: compressorReset)
  }

  private static let presets = [
    preset("Gentle", -24, 2, 12, 30, 250, 3),
    preset("Voice", -24, 3, 6, 8, 120, 6),
    preset("Bass", -22, 4, 6, 20, 180, 6),
    preset("Drums", -18, 4, 3, 15, 80, 4),
    preset("Levelling", -30, 8, 12, 60, 1000, 9),
    preset("Squeezed", -36, 12, 3, 2, 60, 15),
    preset("Ducking", -36, 4, 6, 20, 500, 0, isKeyed: true),
  ]

  private static func preset(
    _ name: String, _ threshold: Float, _ ratio: Float, _ knee: Float, _ attack: Float,
    _ release: Float, _ gain: Float, isKeyed: Bool = false
  ) -> FactoryPreset {
    FactoryPreset(
      name,
      [
        "threshold": threshold, "ratio": ratio, "knee": knee, "attack": attack,
        "release": release, "gain": gain, "sideChain": isKeyed ? 1 : 0,
      ])
  }
}
