// The pairs of channel counts that a unit supports.

/// A pair of input and output channel counts that a unit supports.
///
/// A positive number is that many channels, 0 no bus. −1 is any number; in both fields it is the
/// same number on both sides. −1 on one side and −2 on the other make them independent. A number
/// below −2 is the negated limit for the sum of channels of all busses of that side.
///
/// AUv3: a pair of `channelCapabilities`.
public struct ChannelCapability: Hashable, Sendable {
  /// The rule for input busses.
  public let inputs: Int
  /// The rule for output busses.
  public let outputs: Int

  /// Makes a pair of rules.
  ///
  /// - Thread: [any]
  public init(inputs: Int, outputs: Int) {
    self.inputs = inputs
    self.outputs = outputs
  }

  /// Any number of channels, the same on both sides.
  public static let matching = ChannelCapability(inputs: -1, outputs: -1)
  /// Any number of channels on each side.
  public static let any = ChannelCapability(inputs: -1, outputs: -2)

  /// Whether busses of these channel counts fit. The first bus of each side counts, or, for a
  /// limit, the sum of all its busses.
  ///
  /// - Thread: [any]
  public func allows(inputs given: [Int], outputs made: [Int]) -> Bool {
    guard Self.allows(inputs, given), Self.allows(outputs, made) else { return false }
    return !(inputs == -1 && outputs == -1) || (given.first ?? 0) == (made.first ?? 0)
  }

  private static func allows(_ rule: Int, _ counts: [Int]) -> Bool {
    switch rule {
    case ..<(-2): counts.reduce(0, +) <= -rule
    case -2, -1: true
    default: (counts.first ?? 0) == rule
    }
  }
}

extension ChannelCapability: CustomStringConvertible {
  /// - Thread: [any]
  public var description: String {
    self == .matching ? "as many out as in" : "\(Self.text(inputs)) in, \(Self.text(outputs)) out"
  }

  private static func text(_ rule: Int) -> String {
    switch rule {
    case ..<(-2): "up to \(-rule)"
    case -2, -1: "any"
    default: "\(rule)"
    }
  }
}
