// The gate's control side.

import DSP
public import UnitModel
import UnitRender

/// A gate. `Gate` has its behaviour, `DynamicsProcessor` the parts shared with others.
///
/// Parameters: `threshold`, −80 to 0 dB, default −40; `range`, the gain while the gate is shut, −96
/// to 0 dB, default −80; `attack`, 0.05 to 100 ms, default 1; `hold`, 1 to 2000 ms, default 50;
/// `release`, 5 to 4000 ms, default 150. Threshold and range ramp. The look-ahead is 0 ms by
/// default.
public final class GateUnit: DynamicsProcessor, @unchecked Sendable {
  public static let component = component(lookAhead: usualLookAhead)

  public static func component(lookAhead: Double) -> Component {
    Component(
      description: ComponentDescription(type: .effect, subtype: "gate", manufacturer: "Aurc"),
      name: "Gate", shortName: "gate", unitType: GateUnit.self
    ) { description, _ in
      try GateUnit(lookAhead: lookAhead, componentDescription: description)
    }
  }

  /// - Parameter lookAhead: in milliseconds, limited to 0 to 20.
  /// - Thread: [control]
  public init(
    lookAhead: Double = 0,
    componentDescription: ComponentDescription = GateUnit.component.description
  ) throws {
    try super.init(
      componentDescription, lookAhead: lookAhead,
      parameters: [
        Parameter(decibels: -80...0, "threshold", "Threshold", 0, default: -40),
        Parameter(decibels: -96...0, "range", "Range", 1, default: -80),
        Parameter(milliseconds: 0.05...100, "attack", "Attack", 2, default: 1),
        Parameter(milliseconds: 1...2000, "hold", "Hold", 3, default: 50),
        Parameter(milliseconds: 5...4000, "release", "Release", 4, default: 150),
      ], presets: Self.presets)
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    var settings = Gate.Settings()
    settings.thresholdDecibels = value(0)
    settings.rangeDecibels = value(1)
    settings.attackMilliseconds = value(2)
    settings.holdMilliseconds = value(3)
    settings.releaseMilliseconds = value(4)
    let computer = Gate(sampleRate: outputBusses[0].format.sampleRate, settings: settings)
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
  ) -> DynamicsPreset {
    DynamicsPreset(
      name,
      [
        "threshold": threshold, "range": range, "attack": attack, "hold": hold,
        "release": release,
      ])
  }
}
