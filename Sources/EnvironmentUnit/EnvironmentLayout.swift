// How large an environment is. It is chosen when a unit is made.

/// How many sources an environment may have.
///
/// - Thread: [any]
public struct EnvironmentLayout: Sendable, Hashable {
  /// How many inputs there may be.
  public let inputs: Int
  /// The channels of the first inputs, which have JACK ports where nothing inside is connected to
  /// them.
  public let ports: [Int]

  /// What each may be.
  public static let inputCounts = 1...256
  /// One channel is placed, two are passed through.
  public static let channelCounts = 1...2

  /// - Parameters:
  ///   - inputs: 1 to 256.
  ///   - ports: no more than `inputs`, each 1 or 2.
  public init(inputs: Int = 16, ports: [Int] = []) {
    self.inputs = min(max(inputs, 1), Self.inputCounts.upperBound)
    self.ports = ports.prefix(self.inputs).map { min(max($0, 1), 2) }
  }

  /// The channels of an input that only has ports.
  func portChannels(of input: Int) -> Int { ports.indices.contains(input) ? ports[input] : 1 }
}
