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

  /// Frames from where the signal rises through its middle, for a scope.
  public struct Wave: Sendable, Hashable, Codable {
    /// Samples a second, at most 50,000.
    public var sampleRate: Float
    /// The greatest magnitude in the latest frames, also before these; 1 for full scale.
    public var peak: Float
    /// The samples of the first channel, of 25 ms, in thousandths of the peak.
    public var left: [Int]
    /// The samples of the second channel; of a mono output the same.
    public var right: [Int]

    package init(sampleRate: Float, peak: Float, left: [Int], right: [Int]) {
      (self.sampleRate, self.peak, self.left, self.right) = (sampleRate, peak, left, right)
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
    /// Set for a unit among the watch's `scopes`.
    public var wave: Wave?

    package init(levels: [Float], rms: Float, loudness: Loudness, wave: Wave? = nil) {
      (self.levels, self.rms, self.loudness, self.wave) = (levels, rms, loudness, wave)
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
