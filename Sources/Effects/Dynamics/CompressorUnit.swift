// The compressor's control side.

import DSP
public import UnitModel
import UnitRender

/// A compressor. `Compressor` has the formulas, `DynamicsProcessor` the parts shared with others.
///
/// Parameters: `threshold`, −60 to 0 dB, default −20; `ratio`, 1 to 20, default 4; `knee`, 0 to 24
/// dB, default 6; `attack`, 0.1 to 200 ms, default 10; `release`, 5 to 2000 ms, default 120; `gain`
/// after it, −12 to 36 dB, default 0. All but the times ramp. The look-ahead is 0 ms by default.
///
/// AUv3: `AUDynamicsProcessor`.
public final class CompressorUnit: DynamicsProcessor, @unchecked Sendable {
  public static let component = component(lookAhead: usualLookAhead)

  public static func component(lookAhead: Double) -> Component {
    Component(
      description: ComponentDescription(type: .effect, subtype: "cmpr", manufacturer: "Aurc"),
      name: "Compressor", shortName: "compressor", unitType: CompressorUnit.self
    ) { description, _ in
      try CompressorUnit(lookAhead: lookAhead, componentDescription: description)
    }
  }

  /// - Parameter lookAhead: in milliseconds, limited to 0 to 20.
  /// - Thread: [control]
  public init(
    lookAhead: Double = 0,
    componentDescription: ComponentDescription = CompressorUnit.component.description
  ) throws {
    try super.init(
      componentDescription, lookAhead: lookAhead,
      parameters: [
        Parameter(decibels: -60...0, "threshold", "Threshold", 0, default: -20),
        Parameter(
          identifier: "ratio", name: "Ratio", address: 1, range: 1...20, defaultValue: 4,
          unit: .ratio, flags: [.readable, .writable, .canRamp, .displayLogarithmic]),
        Parameter(decibels: 0...24, "knee", "Knee", 2, default: 6),
        Parameter(milliseconds: 0.1...200, "attack", "Attack", 3, default: 10),
        Parameter(milliseconds: 5...2000, "release", "Release", 4, default: 120),
        Parameter(decibels: -12...36, "gain", "Gain", 5, default: 0),
      ], presets: Self.presets)
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    var settings = Compressor.Settings()
    settings.thresholdDecibels = value(0)
    settings.ratio = value(1)
    settings.kneeDecibels = value(2)
    settings.attackMilliseconds = value(3)
    settings.releaseMilliseconds = value(4)
    settings.makeUpDecibels = value(5)
    let computer = Compressor(
      sampleRate: outputBusses[0].format.sampleRate, settings: settings)
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
  ) -> DynamicsPreset {
    DynamicsPreset(
      name,
      [
        "threshold": threshold, "ratio": ratio, "knee": knee, "attack": attack,
        "release": release, "gain": gain,
      ], isKeyed: isKeyed)
  }
}
