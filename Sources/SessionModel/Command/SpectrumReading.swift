// Spectra and loudness of a session's units.

import Glibc

/// Spectra and loudness of units' first outputs, of the first two channels.
public struct SpectrumReading: Sendable, Hashable, Codable {
  /// Loudness by EBU R 128 in LUFS; −200 for silence.
  public struct Loudness: Sendable, Hashable, Codable {
    /// The loudness of the last 0.4 s.
    public var momentary: Float
    /// The loudness of the last 3 s.
    public var shortTerm: Float
    /// The loudness since the unit is watched, without pauses.
    public var integrated: Float

    package init(momentary: Float, shortTerm: Float, integrated: Float) {
      (self.momentary, self.shortTerm, self.integrated) = (momentary, shortTerm, integrated)
    }
  }

  public struct Unit: Sendable, Hashable, Codable {
    /// The greatest level within each band. In dBFS, that of a sine as high as full scale is 0;
    /// −200 for silence and beyond half of the sample rate. The levels of sines are up to 1.5 dB
    /// low.
    public var levels: [Float]
    /// The root mean square of all frequencies in dBFS; −3 for a sine as high as full scale.
    public var rms: Float
    public var loudness: Loudness

    package init(levels: [Float], rms: Float, loudness: Loudness) {
      (self.levels, self.rms, self.loudness) = (levels, rms, loudness)
    }
  }

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
  /// The units by their ids. Levels are the power mean of both channels over the latest 4,096
  /// frames, of 8,192 above 50 kHz.
  public var units: [String: Unit]

  package init(frame: Int64, units: [String: Unit]) { (self.frame, self.units) = (frame, units) }
}
