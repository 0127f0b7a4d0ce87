// The low-pass filter's control side.

import DSP
import Platform
import Realtime
import UnitModel
import UnitRender

/// A two-pole resonant low-pass: H(s) = 1 / (s² + s/Q + 1) at the cutoff, Q = 10^(resonance / 20),
/// by the bilinear transform with the cutoff pre-warped. It takes any channel count, with as many
/// outputs as inputs.
///
/// A ramp is evaluated at each frame. A value set without a ramp is de-zippered: it ramps over
/// `LinearRamp.deZipperSeconds` (20 ms). Bypass fades over the same time.
public final class FilterUnit: EffectUnit, FrequencyResponding, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(
      type: .effect, subtype: "lpas", manufacturer: "Aurc"),
    name: "Low-pass Filter", shortName: "filter", tags: ["Filter"]
  ) { description, _ in
    try FilterUnit(componentDescription: description)
  }

  /// The cutoff in hertz; limited to below Nyquist at low sample rates. Its text has no decimals.
  @Parameter(
    identifier: "cutoff", name: "Cutoff", address: 0, range: 12...20_000, unit: .hertz,
    flags: [.ramping, .displayLogarithmic])
  public var cutoff: Float = 20_000
  /// The gain at the cutoff, in decibels. Its text has two decimals.
  @Parameter(
    identifier: "resonance", name: "Resonance", address: 1, range: -20...20, unit: .decibels,
    flags: .ramping)
  public var resonance: Float = 0

  /// Makes a filter without render resources.
  ///
  /// - Throws: as the initializer of `EffectUnit`.
  /// - Thread: [control]
  public init(componentDescription: ComponentDescription = FilterUnit.component.description) throws
  {
    try super.init(
      componentDescription: componentDescription, parameters: [_cutoff, _resonance],
      factoryPresets: Self.presets)
    _cutoff.implementorStringFromValueCallback = { $1.text(decimals: 0) }
    _resonance.implementorStringFromValueCallback = {
      ($1.magnitude < 0.005 ? 0 : $1).text(decimals: 2)
    }
  }

  /// The time in which the ringing falls by 100 dB, in seconds: 11.5 times its decay to 1/e.
  public override var tailTime: Double { 11.5 * response.decaySeconds }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(
      FilterKernel(
        channelCount: outputBusses[0].format.channelCount, sampleRate: sampleRate,
        values: parameterValues, parameters: parameterTree.allParameters.map(\.limits)),
      for: self, render: filterRender, reset: filterReset)
  }

  public func magnitudes(atHertz frequencies: [Double]) -> [Double] {
    let response = response
    return frequencies.map { response.magnitude(atHertz: $0) }
  }

  private var response: ResonantLowPassResponse {
    ResonantLowPassResponse(
      cutoffHertz: Double(cutoff), resonanceDecibels: Double(resonance), sampleRate: sampleRate)
  }

  private static let presets = [
    FactoryPreset("Prominent", ["cutoff": 2500, "resonance": 5]),
    FactoryPreset("Bright", ["cutoff": 14_000, "resonance": 12]),
    FactoryPreset("Warm", ["cutoff": 384, "resonance": -3]),
  ]
}
