// Units with a waveform.

/// A unit that plays a recording, and shows its waveform.
///
/// AUv3: none.
public protocol WaveformProviding: AudioUnit {
  /// Returns the waveform of the present content; nil without content.
  ///
  /// - Throws: the error of reading the content.
  /// - Thread: [control]; it reads the whole content, and may take seconds for a long one.
  func waveform() throws -> Waveform?
}

/// The peaks of a recording.
public struct Waveform: Sendable, Hashable, Codable {
  /// The length.
  public let seconds: Double
  /// The greatest sample of all channels in each part, as a factor from 0 to 1,000. Parts have
  /// equal lengths, but for the last.
  public let peaks: [Float]

  public init(seconds: Double, peaks: [Float]) {
    (self.seconds, self.peaks) = (seconds, peaks)
  }
}
