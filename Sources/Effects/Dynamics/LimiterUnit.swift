// The limiter's control side.

import DSP
public import UnitModel
import UnitRender

/// A limiter that keeps every output sample within the ceiling. `Limiter` has its behaviour,
/// `DynamicsProcessor` the parts shared with others. With a side-chain, the ceiling applies to the
/// second input.
///
/// The look-ahead is 5 ms by default.
///
/// AUv3: `AUPeakLimiter`.
public final class LimiterUnit: DynamicsProcessor, @unchecked Sendable {
  public static let component = component(lookAhead: usualLookAhead)
  override class var usualLookAhead: Double { 5 }

  public static func component(lookAhead: Double) -> Component {
    Component(
      description: ComponentDescription(type: .effect, subtype: "lmtr", manufacturer: "Aurc"),
      name: "Limiter", shortName: "limiter", unitType: LimiterUnit.self, tags: ["Dynamics"]
    ) { description, _ in
      try LimiterUnit(lookAhead: lookAhead, componentDescription: description)
    }
  }

  /// The gain before it, in decibels.
  @Parameter(decibels: -24...36, "gain", "Gain", 0) public var gain: Float = 0
  /// The ceiling in decibels.
  @Parameter(decibels: -36...0, "ceiling", "Ceiling", 1) public var ceiling: Float = -1
  /// The release in milliseconds.
  @Parameter(milliseconds: 1...2000, "release", "Release", 2) public var release: Float = 100
  /// Whether peaks between frames count as levels, 0 or 1.
  @Parameter(identifier: "truePeak", name: "True peak", address: 5, range: 0...1, unit: .boolean)
  public var truePeak: Float = 0

  /// Makes a limiter without render resources.
  ///
  /// - Parameter lookAhead: in milliseconds, limited to 0 to 20.
  /// - Throws: as the initializer of `EffectUnit`.
  /// - Thread: [control]
  public init(
    lookAhead: Double = 5,
    componentDescription: ComponentDescription = LimiterUnit.component.description
  ) throws {
    try super.init(
      componentDescription, lookAhead: lookAhead,
      parameters: [_gain, _ceiling, _release], truePeak: _truePeak, presets: Self.presets)
  }

  private var settings: Limiter.Settings {
    var settings = Limiter.Settings()
    settings.gainDecibels = Double(gain)
    settings.ceilingDecibels = Double(ceiling)
    settings.releaseMilliseconds = Double(release)
    settings.lookAheadFrames = lookAheadFrames
    settings.lateFrames = truePeak >= 0.5 ? TruePeakLevels.delayFrames : 0
    return settings
  }

  override func gainDecibels(ofLevel decibels: Double) -> Double {
    settings.gainDecibels(ofLevel: decibels)
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let computer = Limiter(sampleRate: sampleRate, settings: settings)
    return RenderResources(kernel(computer), for: self, render: limiterRender, reset: limiterReset)
  }

  private static func preset(
    _ name: String, _ gain: Float, _ ceiling: Float, _ release: Float, _ truePeak: Float
  ) -> FactoryPreset {
    FactoryPreset(
      name,
      [
        "gain": gain, "ceiling": ceiling, "release": release, "truePeak": truePeak, "sideChain": 0,
      ])
  }

  private static let presets = [
    preset("Safety", 0, -1, 100, 0),
    preset("Loud", 6, -1, 60, 0),
    preset("Broadcast", 3, -3, 400, 1),
    preset("Brick Wall", 12, -0.3, 20, 1),
  ]
}
