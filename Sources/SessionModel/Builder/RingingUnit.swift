// Units that have left a session and are still heard.

import Graph
import UnitModel

/// A unit that was removed, until its tail has ended. No document has it, and no command reaches
/// it.
package struct RingingUnit {
  /// How long the longest tail is heard, in seconds: some say that they never end.
  static let longestSeconds = 30.0

  package let node: Graph.Node
  /// When its tail has ended, as the session counts frames.
  package var endFrame: Int64

  package init(node: Graph.Node, endFrame: Int64) {
    self.node = node
    self.endFrame = endFrame
  }

  /// How many frames a unit is heard after all has ended that it plays; 0 for one without a tail.
  package static func tailFrames(of unit: AudioUnit) -> Int64 {
    let seconds = min(unit.tailTime, longestSeconds)
    return seconds > 0 ? Int64((seconds * unit.sampleRate).rounded(.up)) : 0
  }
}
