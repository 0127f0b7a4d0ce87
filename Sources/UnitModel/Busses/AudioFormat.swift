// The format of the audio on a bus.

/// Sample rate and channel count; samples are always 32-bit float, one buffer a channel.
///
/// AUv3: `AVAudioFormat`.
public struct AudioFormat: Hashable, Sendable {
  /// The sample rate in hertz, 1000 to 1,536,000.
  public let sampleRate: Double
  /// The number of channels, 1 to 1024.
  public let channelCount: Int

  /// The supported sample rates, in hertz.
  public static let sampleRates: ClosedRange<Double> = 1000...1_536_000
  /// The supported channel counts.
  public static let channelCounts: ClosedRange<Int> = 1...1024

  /// Makes a format within the limits.
  ///
  /// - Throws: `BusError` for a rate or a channel count out of range.
  /// - Thread: [any]
  public init(sampleRate: Double, channelCount: Int) throws(BusError) {
    guard Self.sampleRates.contains(sampleRate) else { throw .sampleRateOutOfRange(sampleRate) }
    guard Self.channelCounts.contains(channelCount) else {
      throw .channelCountOutOfRange(channelCount)
    }
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  /// Two channels at 48 kHz.
  public static let standard = AudioFormat(standardChannels: 2)

  private init(standardChannels: Int) {
    sampleRate = 48_000
    channelCount = standardChannels
  }

  /// Returns the format with another sample rate, in hertz.
  ///
  /// - Throws: `BusError` for a rate out of range.
  /// - Thread: [any]
  public func at(sampleRate: Double) throws(BusError) -> AudioFormat {
    try AudioFormat(sampleRate: sampleRate, channelCount: channelCount)
  }
}

extension AudioFormat: CustomStringConvertible {
  /// - Thread: [any]
  public var description: String { "\(channelCount) channels at \(sampleRate) Hz" }
}
