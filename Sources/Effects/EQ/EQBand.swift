// The API for a band of the equalizer.

public import DSP
import Glibc
public import UnitModel

/// The parameters of one band. A set value takes effect at once, without a click.
///
/// AUv3: `AVAudioUnitEQFilterParameters`.
/// - Thread: [control]
public final class EQBand: @unchecked Sendable {
  public let kindParameter: Parameter
  /// The frequency in hertz, 20 to 20,000; limited to 0.49 times the sample rate.
  @Parameter public var frequency: Float
  /// The gain in decibels, −96 to 24.
  @Parameter public var gain: Float
  /// The bandwidth in octaves, 0.05 to 5.
  @Parameter public var bandwidth: Float
  public let bypassParameter: Parameter
  let group: ParameterGroup

  /// Display names of the kinds, in the order of `EqualizerBandKind`.
  static let kindNames = [
    "Parametric", "Low Pass", "High Pass", "Resonant Low Pass", "Resonant High Pass", "Band Pass",
    "Band Stop", "Low Shelf", "High Shelf", "Resonant Low Shelf", "Resonant High Shelf",
  ]

  /// - Parameters:
  ///   - number: the band, counted from 0.
  ///   - count: the number of bands, over which the frequencies are spread.
  init(number: Int, of count: Int) {
    let first = ParameterAddress(1 + number * 5)
    kindParameter = Parameter(
      identifier: "kind", name: "Kind", address: first,
      range: 0...Float(Self.kindNames.count - 1), unit: .indexed, valueStrings: Self.kindNames)
    _frequency = Parameter(
      identifier: "frequency", name: "Frequency", address: first + 1, range: 20...20_000,
      defaultValue: Self.frequency(number, of: count), unit: .hertz,
      flags: [.ramping, .displayLogarithmic])
    _gain = Parameter(
      identifier: "gain", name: "Gain", address: first + 2, range: -96...24, defaultValue: 0,
      unit: .decibels, flags: .ramping)
    _bandwidth = Parameter(
      identifier: "bandwidth", name: "Bandwidth", address: first + 3, range: 0.05...5,
      defaultValue: 1, unit: .octaves, flags: [.ramping, .displayLogarithmic])
    bypassParameter = Parameter(
      identifier: "bypass", name: "Bypass", address: first + 4, range: 0...1, unit: .boolean)
    group = ParameterGroup(
      identifier: "\(number + 1)", name: "Band \(number + 1)",
      children: [kindParameter, _frequency, _gain, _bandwidth, bypassParameter])
  }

  /// The filter kind. AUv3: `filterType`.
  public var kind: EqualizerBandKind {
    get { EqualizerBandKind(place: Int(kindParameter.value.rounded())) }
    set {
      kindParameter.value = Float(EqualizerBandKind.allCases.firstIndex(of: newValue) ?? 0)
    }
  }

  /// Whether the band passes its input unchanged.
  public var bypass: Bool {
    get { bypassParameter.value >= 0.5 }
    set { bypassParameter.value = newValue ? 1 : 0 }
  }

  var settings: Equalizer.Band {
    var settings = Equalizer.Band()
    settings.kind = kind
    settings.frequencyHertz = Double(frequency)
    settings.gainDecibels = Double(gain)
    settings.bandwidthOctaves = Double(bandwidth)
    settings.isBypassed = bypass
    return settings
  }

  /// Returns the middle of a band's share of three decades, to two digits.
  private static func frequency(_ number: Int, of count: Int) -> Float {
    let exact = 20 * pow(1000, (Double(number) + 0.5) / Double(count))
    let digit = pow(10, floor(log10(exact)) - 1)
    return Float((exact / digit).rounded() * digit)
  }
}
