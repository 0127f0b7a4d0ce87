// Cycle lengths for a stimulus.

import Platform

enum CycleLengths {
  case fixed(Int)
  case random(upTo: Int, seed: UInt64)

  var text: String {
    switch self {
    case .fixed(1): "cycles of 1 frame"
    case .fixed(let length): "cycles of \(length) frames"
    case .random(let limit, _): "cycles of 1 to \(limit) frames"
    }
  }

  /// Divides `frames` into cycles.
  func lengths(frames: Int) -> [Int] {
    var lengths: [Int] = []
    var left = frames
    var random = SplitMix(seed: 0)
    if case .random(_, let seed) = self { random = SplitMix(seed: seed) }
    while left > 0 {
      let length =
        switch self {
        case .fixed(let length): min(length, left)
        case .random(let limit, _): min(Int.random(in: 1...limit, using: &random), left)
        }
      lengths.append(length)
      left -= length
    }
    return lengths
  }
}
