// The low-pass filter's control side.

import DSP
import UnitModel
import UnitRender

/// A two-pole resonant low-pass: H(s) = 1 / (s² + s/Q + 1) at the cutoff, Q = 10^(resonance / 20),
/// by the bilinear transform with the cutoff pre-warped. It takes any channel count, with as many
/// outputs as inputs.
///
/// A ramp is evaluated at each frame. A value set without a ramp is de-zippered: it ramps over
/// `LinearRamp.deZipperSeconds` (20 ms). Bypass fades over the same time.
///
/// Parameters: `cutoff`, 12 to 20 000 Hz, default 20 000 (limited to below Nyquist at low sample
/// rates); `resonance`, −20 to 20 dB, default 0, the gain at the cutoff.
public final class FilterUnit: AudioUnit, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(
      type: .effect, subtype: "lpas", manufacturer: "Aurc"),
    name: "Auricle: Low-pass Filter", shortName: "filter"
  ) { description, _ in
    try FilterUnit(componentDescription: description)
  }

  public static let cutoffAddress: ParameterAddress = 0
  public static let resonanceAddress: ParameterAddress = 1

  /// - Thread: [control]
  public init(componentDescription: ComponentDescription = FilterUnit.component.description) throws
  {
    try super.init(
      componentDescription: componentDescription,
      inputBusses: BusArray(.input, [Bus(.input, name: "Input")]),
      outputBusses: BusArray(.output, [Bus(.output, name: "Output")]),
      parameterTree: ParameterTree(children: [
        Parameter(
          identifier: "cutoff", name: "Cutoff", address: Self.cutoffAddress,
          range: 12...20_000, defaultValue: 20_000, unit: .hertz,
          flags: [.readable, .writable, .canRamp, .displayLogarithmic]),
        Parameter(
          identifier: "resonance", name: "Resonance", address: Self.resonanceAddress,
          range: -20...20, defaultValue: 0, unit: .decibels,
          flags: [.readable, .writable, .canRamp]),
      ]))
  }

  public override var channelCapabilities: [ChannelCapability]? { [.matching] }

  /// The time in which the ringing falls by 100 dB: 11.5 times its decay to 1/e.
  public override var tailTime: Double { 11.5 * response.decaySeconds }

  public override var factoryPresets: [Preset] {
    FilterPreset.all.enumerated().map { Preset(number: $0, name: $1.name) }
  }

  public override func factoryPresetValues(of preset: Preset) -> [String: Float] {
    guard FilterPreset.all.indices.contains(preset.number) else { return [:] }
    let values = FilterPreset.all[preset.number]
    return ["cutoff": values.cutoffHertz, "resonance": values.resonanceDecibels]
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let format = outputBusses[0].format
    return RenderResources(
      FilterKernel(
        channelCount: format.channelCount, sampleRate: format.sampleRate, values: parameterValues),
      for: self, render: filterRender, reset: filterReset)
  }

  /// Returns the linear gain at each of `frequencies` in hertz with the current settings, for a
  /// view to draw.
  /// - Thread: [control]
  public func magnitudes(atHertz frequencies: [Double]) -> [Double] {
    let response = response
    return frequencies.map { response.magnitude(atHertz: $0) }
  }

  private var response: ResonantLowPassResponse {
    ResonantLowPassResponse(
      cutoffHertz: Double(parameterValues[0]), resonanceDecibels: Double(parameterValues[1]),
      sampleRate: outputBusses[0].format.sampleRate)
  }
}

/// A factory preset of the filter.
struct FilterPreset {
  let name: String
  let cutoffHertz: Float
  let resonanceDecibels: Float

  static let all = [
    FilterPreset(name: "Prominent", cutoffHertz: 2500, resonanceDecibels: 5),
    FilterPreset(name: "Bright", cutoffHertz: 14_000, resonanceDecibels: 12),
    FilterPreset(name: "Warm", cutoffHertz: 384, resonanceDecibels: -3),
  ]
}
