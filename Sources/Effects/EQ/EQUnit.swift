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
/// The parameters of the bands are in groups, `bands.1`, `bands.2` …
///
/// AUv3: the unit of `AVAudioUnitEQ`.
public final class EQUnit: EffectUnit, FrequencyResponding, @unchecked Sendable {
  public static let component = component(bandCount: defaultBandCount)

  /// The allowed numbers of bands.
  public static let bandCounts = 1...32
  static let defaultBandCount = 4

  /// Returns the component whose units have `bandCount` bands.
  static func component(bandCount: Int) -> Component {
    Component(
      description: ComponentDescription(type: .effect, subtype: "nbeq", manufacturer: "Aurc"),
      name: "Equalizer", shortName: "eq", unitType: EQUnit.self, tags: ["Equalizer", "Filter"]
    ) { description, _ in
      try EQUnit(bandCount: bandCount, componentDescription: description)
    }
  }

  /// The bands, in signal order.
  ///
  /// AUv3: `AVAudioUnitEQ.bands`.
  /// - Thread: [any]
  public let bands: [EQBand]

  /// The gain after all bands, in decibels.
  @Parameter(
    identifier: "gain", name: "Gain", address: 0, range: -96...24, unit: .decibels,
    flags: .ramping)
  public var gain: Float = 0

  /// Makes an equalizer without render resources.
  ///
  /// - Parameter bandCount: the number of bands, limited to 1 to 32.
  /// - Throws: as the initializer of `EffectUnit`.
  ///
  /// AUv3: `AVAudioUnitEQ(numberOfBands:)`.
  /// - Thread: [control]
  public init(
    bandCount: Int = 4, componentDescription: ComponentDescription = EQUnit.component.description
  ) throws {
    let count = min(max(bandCount, Self.bandCounts.lowerBound), Self.bandCounts.upperBound)
    bands = Self.makeBands(count)
    try super.init(
      componentDescription: componentDescription,
      parameters: [_gain, Self.group(of: bands)], factoryPresets: Self.presets(bandCount: count))
  }

  // Outside of `init`, where Swift 6.3's optimizer crashes at their closures.

  private static func makeBands(_ count: Int) -> [EQBand] {
    (0..<count).map { EQBand(number: $0, of: count) }
  }

  private static func group(of bands: [EQBand]) -> ParameterGroup {
    ParameterGroup(identifier: "bands", name: "Bands", children: bands.map(\.group))
  }

  private static func presets(bandCount: Int) -> [FactoryPreset] {
    EQPreset.all.filter { $0.bands.count <= bandCount }.map {
      FactoryPreset($0.name, $0.values(bandCount: bandCount))
    }
  }

  /// The sum of the bands' times of ringing down by 100 dB, in seconds.
  public override var tailTime: Double {
    Equalizer.tailSeconds(bands.map(\.settings), sampleRate: sampleRate)
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    try RenderResources(channelsOf: self, render: eqRender, reset: eqReset) { _ in
      Equalizer(
        sampleRate: sampleRate, bands: bands.map(\.settings), gainDecibels: Double(gain))
    }
  }

  public func magnitudes(atHertz frequencies: [Double]) -> [Double] {
    let response = EqualizerResponse(
      bands: bands.map(\.settings), gainDecibels: Double(gain), sampleRate: sampleRate)
    return frequencies.map { response.magnitude(atHertz: $0) }
  }

  /// Returns the gains of each band, also of those that are bypassed.
  /// - Thread: [control]
  public func partMagnitudes(atHertz frequencies: [Double]) -> [[Double]] {
    bands.map { band in
      var settings = band.settings
      settings.isBypassed = false
      let response = EqualizerResponse(bands: [settings], sampleRate: sampleRate)
      return frequencies.map { response.magnitude(atHertz: $0) }
    }
  }
}
