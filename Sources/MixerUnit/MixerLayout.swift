// How large a mixer is. It is chosen when a unit is made.

import DSP
import UnitModel

/// How many inputs a mixer may have, and how many channels.
///
/// - Thread: [any]
public struct MixerLayout: Sendable, Hashable {
  /// How many inputs there may be.
  public let inputs: Int
  /// Of the mix.
  public let channels: Int
  /// The channels of the first inputs, which have JACK ports where nothing inside is connected to
  /// them.
  public let ports: [Int]

  /// What each may be.
  public static let inputCounts = 1...256
  public static let channelCounts = 1...MixMatrix.mostChannels

  /// - Parameters:
  ///   - inputs: 1 to 256.
  ///   - channels: 1 to 8.
  ///   - ports: no more than `inputs`, each one of `inputChannelCounts`.
  public init(inputs: Int = 16, channels: Int = 2, ports: [Int] = []) {
    self.inputs = min(max(inputs, 1), Self.inputCounts.upperBound)
    self.channels = min(max(channels, 1), Self.channelCounts.upperBound)
    self.ports = Array(ports.prefix(self.inputs))
  }

  /// The channels that an input may have.
  public var inputChannelCounts: [Int] {
    Self.channelCounts.filter { MixMatrix.exists(from: $0, to: channels) }
  }

  /// The channels of an input that only has ports.
  func portChannels(of input: Int) -> Int { ports.indices.contains(input) ? ports[input] : 2 }
}

extension AudioFormat {
  /// So many channels at 48 kHz.
  static func standard(_ channelCount: Int) throws(BusError) -> AudioFormat {
    try AudioFormat(sampleRate: standard.sampleRate, channelCount: channelCount)
  }
}
