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
  /// Whether a mono input in the middle is unchanged at left and right. The default is -3 dB each.
  ///
  /// A pan then lowers the other side only, by cos(|pan| · 90°).
  public let isMonoAtUnity: Bool

  /// The allowed values of `inputs` and of `channels`.
  public static let inputCounts = 1...256
  public static let channelCounts = 1...MixMatrix.mostChannels

  /// - Parameters:
  ///   - inputs: limited to 1 to 256.
  ///   - channels: limited to 1 to 8.
  ///   - ports: channel counts, each one of `inputChannelCounts`; more than `inputs` are left out.
  ///   - isMonoAtUnity: whether a mono input in the middle is unchanged at left and right.
  /// - Thread: [any]
  public init(
    inputs: Int = 16, channels: Int = 2, ports: [Int] = [], isMonoAtUnity: Bool = false
  ) {
    self.inputs = min(max(inputs, 1), Self.inputCounts.upperBound)
    self.channels = min(max(channels, 1), Self.channelCounts.upperBound)
    self.ports = Array(ports.prefix(self.inputs))
    self.isMonoAtUnity = isMonoAtUnity
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
