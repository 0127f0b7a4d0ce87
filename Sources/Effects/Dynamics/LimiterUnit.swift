// The limiter's control side.

import DSP
public import UnitModel
import UnitRender

/// A limiter that keeps every output sample within the ceiling. `Limiter` has its behaviour,
/// `DynamicsProcessor` the parts shared with others. With a side-chain, the ceiling applies to the
/// second input.
///
/// Parameters: `gain` before it, −24 to 36 dB, default 0; `ceiling`, −36 to 0 dB, default −1;
/// `release`, 1 to 2000 ms, default 100; `truePeak`, whether peaks between frames count as levels.
/// Gain and ceiling ramp. The look-ahead is 5 ms by default.
///
/// AUv3: `AUPeakLimiter`.
public final class LimiterUnit: DynamicsProcessor, @unchecked Sendable {
  public static let component = component(lookAhead: usualLookAhead)
  override class var usualLookAhead: Double { 5 }

  public static func component(lookAhead: Double) -> Component {
    Component(
      description: ComponentDescription(type: .effect, subtype: "lmtr", manufacturer: "Aurc"),
      name: "Limiter", shortName: "limiter", unitType: LimiterUnit.self
    ) { description, _ in
      try LimiterUnit(lookAhead: lookAhead, componentDescription: description)
    }
  }

  /// - Parameter lookAhead: in milliseconds, limited to 0 to 20.
  /// - Thread: [control]
  public init(
    lookAhead: Double = 5,
    componentDescription: ComponentDescription = LimiterUnit.component.description
  ) throws {
    try super.init(
      componentDescription, lookAhead: lookAhead,
      parameters: [
        Parameter(decibels: -24...36, "gain", "Gain", 0, default: 0),
        Parameter(decibels: -36...0, "ceiling", "Ceiling", 1, default: -1),
        Parameter(milliseconds: 1...2000, "release", "Release", 2, default: 100),
      ], presets: Self.presets, findsTruePeaks: true)
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    var settings = Limiter.Settings()
    settings.gainDecibels = value(0)
    settings.ceilingDecibels = value(1)
    settings.releaseMilliseconds = value(2)
    settings.lookAheadFrames = lookAheadFrames
    settings.lateFrames =
      value(Int(reductionAddress) + 1) >= 0.5 ? TruePeakLevels.delayFrames : 0
    let computer = Limiter(sampleRate: outputBusses[0].format.sampleRate, settings: settings)
    return RenderResources(
      kernel(computer), for: self, render: limiterRender, reset: limiterReset)
  }

  private static let presets = [
    DynamicsPreset("Safety", ["gain": 0, "ceiling": -1, "release": 100, "truePeak": 0]),
    DynamicsPreset("Loud", ["gain": 6, "ceiling": -1, "release": 60, "truePeak": 0]),
    DynamicsPreset("Broadcast", ["gain": 3, "ceiling": -3, "release": 400, "truePeak": 1]),
    DynamicsPreset("Brick Wall", ["gain": 12, "ceiling": -0.3, "release": 20, "truePeak": 1]),
  ]
}
