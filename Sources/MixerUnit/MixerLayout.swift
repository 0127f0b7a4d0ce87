// The size of a mixer, chosen when a unit is made.

import DSP
import UnitModel

/// The most inputs of a mixer, its channels, and the inputs with ports.
///
/// - Thread: [any]
public struct MixerLayout: Sendable, Hashable {
  /// The most inputs, 1 to 256.
  public let inputs: Int
  /// Number of channels of the mix, 1 to 8.
  public let channels: Int
  /// Channel counts of the first inputs. These inputs have JACK ports while no unit is connected to
  /// them.
  public let ports: [Int]

  /// The allowed values of `inputs` and of `channels`.
  public static let inputCounts = 1...256
  public static let channelCounts = 1...MixMatrix.mostChannels

  /// - Parameters:
  ///   - inputs: limited to 1 to 256.
  ///   - channels: limited to 1 to 8.
  ///   - ports: channel counts, each one of `inputChannelCounts`; more than `inputs` are left out.
  /// - Thread: [any]
  public init(inputs: Int = 16, channels: Int = 2, ports: [Int] = []) {
    self.inputs = min(max(inputs, 1), Self.inputCounts.upperBound)
    self.channels = min(max(channels, 1), Self.channelCounts.upperBound)
    self.ports = Array(ports.prefix(self.inputs))
  }

  /// The channel counts that an input can have.
  public var inputChannelCounts: [Int] {
    Self.channelCounts.filter { MixMatrix.exists(from: $0, to: channels) }
  }

  /// Returns the channel count of an input that only has ports.
  func portChannels(of input: Int) -> Int { ports.indices.contains(input) ? ports[input] : 2 }
}

extension AudioFormat {
  /// Returns a format of `channelCount` channels at 48 kHz.
  static func standard(_ channelCount: Int) throws(BusError) -> AudioFormat {
    try AudioFormat(sampleRate: standard.sampleRate, channelCount: channelCount)
  }
}
