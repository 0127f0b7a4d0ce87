// The equalizer's control side.

import DSP
public import UnitModel
import UnitRender

/// An equalizer with a fixed number of bands, 1 to 32. It takes any channel count, with as many
/// outputs as inputs, and filters each channel separately. `EqualizerBandKind` has the formulas.
///
/// Every frequency, gain and bandwidth ramps. A value set without a ramp, a changed kind and a
/// changed bypass are reached within 20 ms.
///
/// Parameters: `gain` after all bands, −96 to 24 dB; for each band, in a group `bands.1`, `bands.2`
/// …, `kind`, default parametric; `frequency`, 20 to 20 000 Hz (limited to 0.49 times the sample
/// rate); `gain`, −96 to 24 dB, default 0; `bandwidth`, 0.05 to 5 octaves, default 1; `bypass`.
///
/// AUv3: the unit of `AVAudioUnitEQ`.
public final class EQUnit: AudioUnit, @unchecked Sendable {
  public static let component = component(bandCount: defaultBandCount)

  /// The allowed numbers of bands.
  public static let bandCounts = 1...32
  static let defaultBandCount = 4

  /// Returns the component whose units have `bandCount` bands.
  static func component(bandCount: Int) -> Component {
    Component(
      description: ComponentDescription(type: .effect, subtype: "nbeq", manufacturer: "Aurc"),
      name: "Equalizer", shortName: "eq", unitType: EQUnit.self
    ) { description, _ in
      try EQUnit(bandCount: bandCount, componentDescription: description)
    }
  }

  /// The bands, in signal order.
  ///
  /// AUv3: `AVAudioUnitEQ.bands`.
  /// - Thread: [any]
  public let bands: [EQBand]

  /// - Parameter bandCount: the number of bands, limited to 1 to 32.
  ///
  /// AUv3: `AVAudioUnitEQ(numberOfBands:)`.
  /// - Thread: [control]
  public init(
    bandCount: Int = 4, componentDescription: ComponentDescription = EQUnit.component.description
  ) throws {
    let count = min(max(bandCount, Self.bandCounts.lowerBound), Self.bandCounts.upperBound)
    let bands = (0..<count).map { EQBand(number: $0, of: count) }
    let (input, output) = (
      try BusArray(.input, [Bus(.input, name: "Input")]),
      try BusArray(.output, [Bus(.output, name: "Output")])
    )
    let tree = try ParameterTree(children: [
      Parameter(
        identifier: "gain", name: "Gain", address: 0, range: -96...24, defaultValue: 0,
        unit: .decibels, flags: [.readable, .writable, .canRamp]),
      ParameterGroup(identifier: "bands", name: "Bands", children: bands.map(\.group)),
    ])
    self.bands = bands
    super.init(
      componentDescription: componentDescription, inputBusses: input, outputBusses: output,
      parameterTree: tree)
  }

  public override var channelCapabilities: [ChannelCapability]? { [.matching] }

  /// The sum of the bands' times of ringing down by 100 dB.
  public override var tailTime: Double {
    Equalizer.tailSeconds(
      bands.map(\.settings), sampleRate: outputBusses[0].format.sampleRate)
  }

  /// The presets that have no more bands than the unit.
  public override var factoryPresets: [Preset] {
    EQPreset.all.enumerated().filter { $1.bands.count <= bands.count }.map {
      Preset(number: $0, name: $1.name)
    }
  }

  public override func factoryPresetValues(of preset: Preset) -> [String: Float] {
    EQPreset.all.indices.contains(preset.number)
      ? EQPreset.all[preset.number].values(bandCount: bands.count) : [:]
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let rate = outputBusses[0].format.sampleRate
    let settings = bands.map(\.settings)
    let gain = Double(parameterValues[0])
    return try RenderResources(channelsOf: self, render: eqRender, reset: eqReset) { _ in
      EQKernel(sampleRate: rate, bands: settings, gainDecibels: gain)
    }
  }

  /// Returns the linear gain at each of `frequencies` in hertz with the current settings, for a
  /// view to draw.
  /// - Thread: [control]
  public func magnitudes(atHertz frequencies: [Double]) -> [Double] {
    let response = EqualizerResponse(
      bands: bands.map(\.settings), gainDecibels: Double(parameterValues[0]),
      sampleRate: outputBusses[0].format.sampleRate)
    return frequencies.map { response.magnitude(atHertz: $0) }
  }
}
