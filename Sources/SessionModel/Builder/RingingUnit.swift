// Removed units whose tails are still heard.

import Graph
import UnitModel

/// A removed unit that is kept until its tail has ended. No document contains it, and no command
/// can address it.
package struct RingingUnit {
  /// The maximum length of a tail in seconds: some units report an infinite one.
  static let longestSeconds = 30.0

  package let node: Graph.Node
  /// The frame at which its tail has ended, in the session's count.
  package var endFrame: Int64

  package init(node: Graph.Node, endFrame: Int64) {
    self.node = node
    self.endFrame = endFrame
  }

  /// Returns the length of a unit's tail in frames, at most `longestSeconds`; 0 without a tail.
  package static func tailFrames(of unit: AudioUnit) -> Int64 {
    let seconds = min(unit.tailTime, longestSeconds)
    return seconds > 0 ? Int64((seconds * unit.sampleRate).rounded(.up)) : 0
  }
}
