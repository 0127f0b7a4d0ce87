// The response of a unit.

import Glibc
import UnitModel

/// The frequency response of a unit, or the transfer curve of one whose gain depends on the level.
public struct ResponseReading: Sendable, Hashable, Codable {
  /// The kind of a response.
  public enum Kind: String, Sendable, Codable {
    /// The gain by frequency.
    case frequency
    /// The output level by the input level.
    case level
  }

  public let kind: Kind
  /// Frequencies in hertz, or input levels in decibels.
  public let at: [Double]
  /// The gain at each frequency, or the output level of each input level, in decibels: −200 to 200.
  public let decibels: [Double]
  /// The gains of parts of the unit, such as the bands of an equalizer, without the bypass of each;
  /// nil for a unit without parts.
  public let parts: [[Double]]?

  /// The greatest number of frequencies or levels.
  package static let most = 1_024
  /// The range of input levels, in decibels.
  package static let levels = -200.0...100.0
  /// The range of frequencies, in hertz.
  package static let frequencies = 0.0...1e6
  /// From 20 Hz to 20 kHz, 80 a decade.
  package static let usualFrequencies = (0...240).map { hundredth(20 * pow(10, Double($0) / 80)) }
  /// From −80 to 12 dB.
  package static let usualLevels = (0...184).map { Double($0) / 2 - 80 }

  /// Leaves out frequencies above half the unit's sample rate.
  ///
  /// - Parameter frequencies: in hertz, in `frequencies`.
  package init(of unit: any FrequencyResponding, atHertz frequencies: [Double]) {
    kind = .frequency
    let most = unit.sampleRate / 2
    at = frequencies.filter { $0 <= most }
    decibels = unit.magnitudes(atHertz: at).map(Self.decibels)
    let parts = unit.partMagnitudes(atHertz: at).map { $0.map(Self.decibels) }
    self.parts = parts.isEmpty ? nil : parts
  }

  /// - Parameter levels: in decibels, in `levels`.
  package init(of unit: any LevelResponding, atDecibels levels: [Double]) {
    (kind, at, parts) = (.level, levels, nil)
    decibels = unit.outputDecibels(atInputDecibels: at).map(Self.limited)
  }

  private init(_ kind: Kind, _ at: [Double], _ decibels: [Double], _ parts: [[Double]]?) {
    (self.kind, self.at, self.decibels, self.parts) = (kind, at, decibels, parts)
  }

  /// Returns every one of `count` points.
  package func thinned(by count: Int) -> ResponseReading {
    func thinned(_ values: [Double]) -> [Double] {
      stride(from: 0, to: values.count, by: count).map { values[$0] }
    }
    return ResponseReading(kind, thinned(at), thinned(decibels), parts?.map(thinned))
  }

  private static func decibels(_ magnitude: Double) -> Double { limited(20 * log10(magnitude)) }

  /// Returns decibels that JSON has, to a hundredth; −200 for NaN.
  private static func limited(_ decibels: Double) -> Double {
    decibels.isNaN ? -200 : hundredth(max(-200, min(200, decibels)))
  }

  private static func hundredth(_ value: Double) -> Double { (value * 100).rounded() / 100 + 0 }
}
