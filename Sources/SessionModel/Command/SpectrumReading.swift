// Spectra of a session's units.

import Glibc

/// Spectra of units' first outputs: the power mean of the first two channels, over the latest 4,096
/// frames, of 8,192 above 50 kHz.
public struct SpectrumReading: Sendable, Hashable, Codable {
  /// The number of bands of a spectrum, twelve an octave from `lowestFrequency` on.
  public static let bandCount = 120
  /// The lower end of the first band in hertz; the last one ends ten octaves above.
  public static let lowestFrequency = 20.0
  /// The most units of a watch.
  package static let mostUnits = 8

  /// Returns the lower end of a band in hertz.
  public static func frequency(ofBand band: Int) -> Double {
    lowestFrequency * exp2(Double(band) / 12)
  }

  /// The frame of the session on which the latest cycle began.
  public var frame: Int64
  /// The greatest level within each band, by the ids of the units. In dBFS, that of a sine as high
  /// as full scale is 0; −200 for silence and beyond half of the sample rate. The levels of sines
  /// are up to 1.5 dB low.
  public var units: [String: [Float]]

  package init(frame: Int64, units: [String: [Float]]) { (self.frame, self.units) = (frame, units) }
}
