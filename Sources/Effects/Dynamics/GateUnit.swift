// The gate's control side.

import DSP
public import UnitModel
import UnitRender

/// A gate. `Gate` has its behaviour, `DynamicsProcessor` the parts shared with others.
/// The look-ahead is 0 ms by default.
public final class GateUnit: DynamicsProcessor, @unchecked Sendable {
  public static let component = component(lookAhead: usualLookAhead)

  public static func component(lookAhead: Double) -> Component {
    Component(
      description: ComponentDescription(type: .effect, subtype: "gate", manufacturer: "Aurc"),
      name: "Gate", shortName: "gate", unitType: GateUnit.self, tags: ["Dynamics"]
    ) { description, _ in
      try GateUnit(lookAhead: lookAhead, componentDescription: description)
    }
  }

  /// The threshold in decibels.
  @Parameter(decibels: -80...0, "threshold", "Threshold", 0) public var threshold: Float = -40
  /// The gain while the gate is shut, in decibels.
  @Parameter(decibels: -96...0, "range", "Range", 1) public var range: Float = -80
  /// The attack in milliseconds.
  @Parameter(milliseconds: 0.05...100, "attack", "Attack", 2) public var attack: Float = 1
  /// The time in milliseconds for which the gate stays open.
  @Parameter(milliseconds: 1...2000, "hold", "Hold", 3) public var hold: Float = 50
  /// The release in milliseconds.
  @Parameter(milliseconds: 5...4000, "release", "Release", 4) public var release: Float = 150

  /// Makes a gate without render resources.
  ///
  /// - Parameter lookAhead: in milliseconds, limited to 0 to 20.
  /// - Throws: as the initializer of `EffectUnit`.
  /// - Thread: [control]
  public init(
    lookAhead: Double = 0,
    componentDescription: ComponentDescription = GateUnit.component.description
  ) throws {
    try super.init(
      componentDescription, lookAhead: lookAhead,
      parameters: [_threshold, _range, _attack, _hold, _release], presets: Self.presets)
  }

  private var settings: Gate.Settings {
    var settings = Gate.Settings()
    settings.thresholdDecibels = Double(threshold)
    settings.rangeDecibels = Double(range)
    settings.attackMilliseconds = Double(attack)
    settings.holdMilliseconds = Double(hold)
    settings.releaseMilliseconds = Double(release)
    return settings
  }

  override func gainDecibels(ofLevel decibels: Double) -> Double {
    settings.gainDecibels(ofLevel: decibels)
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let computer = Gate(sampleRate: sampleRate, settings: settings)
    return RenderResources(kernel(computer), for: self, render: gateRender, reset: gateReset)
  }

  private static let presets = [
    preset("Voice", -45, -20, 2, 150, 250),
    preset("Drum", -30, -60, 0.1, 30, 80),
    preset("Guitar Amp", -50, -80, 1, 80, 200),
    preset("Chopped", -24, -96, 0.05, 5, 10),
  ]

  private static func preset(
    _ name: String, _ threshold: Float, _ range: Float, _ attack: Float, _ hold: Float,
    _ release: Float
  ) -> FactoryPreset {
    FactoryPreset(
      name,
      [
        "threshold": threshold, "range": range, "attack": attack, "hold": hold,
        "release": release, "sideChain": 0,
      ])
  }
}
