// Divisions of a signal into cycles.

import TestSupport
import Testing

/// A way to divide a signal into cycles.
public enum Periods: CustomTestStringConvertible, Sendable {
  case fixed(Int)
  case random(upTo: Int, seed: UInt64)

  public static let all: [Periods] =
    [16, 64, 100, 256, 1024].map { .fixed($0) } + [
      .random(upTo: 1024, seed: 1), .random(upTo: 70, seed: 2),
    ]

  /// The lengths of the cycles in `frames` frames.
  public func lengths(frames: Int) -> [Int] {
    var lengths: [Int] = []
    var left = frames
    var random = SeededRandom(seed: 0)
    if case .random(_, let seed) = self { random = SeededRandom(seed: seed) }
    while left > 0 {
      switch self {
      case .fixed(let period): lengths.append(min(period, left))
      case .random(let limit, _):
        lengths.append(min(Int.random(in: 1...limit, using: &random), left))
      }
      left -= lengths.last!
    }
    return lengths
  }

  public var testDescription: String {
    switch self {
    case .fixed(let period): "\(period)"
    case .random(let limit, _): "random up to \(limit)"
    }
  }
}
