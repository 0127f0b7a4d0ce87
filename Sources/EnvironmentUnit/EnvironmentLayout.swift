// The size of an environment, chosen when a unit is made.

/// The most sources of an environment, and the inputs with ports.
///
/// - Thread: [any]
public struct EnvironmentLayout: Sendable, Hashable {
  /// The most inputs, 1 to 256.
  public let inputs: Int
  /// Channel counts of the first inputs, 1 or 2. These inputs have JACK ports while no unit is
  /// connected to them.
  public let ports: [Int]

  /// The allowed values of `inputs`.
  public static let inputCounts = 1...256
  /// The allowed channel counts: one channel is placed, two are passed through.
  public static let channelCounts = 1...2

  /// - Parameters:
  ///   - inputs: limited to 1 to 256.
  ///   - ports: channel counts, limited to 1 to 2; more than `inputs` are left out.
  /// - Thread: [any]
  public init(inputs: Int = 16, ports: [Int] = []) {
    self.inputs = min(max(inputs, 1), Self.inputCounts.upperBound)
    self.ports = ports.prefix(self.inputs).map { min(max($0, 1), 2) }
  }

  /// Returns the channel count of an input that only has ports.
  func portChannels(of input: Int) -> Int { ports.indices.contains(input) ? ports[input] : 1 }
}
