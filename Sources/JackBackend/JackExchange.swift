// The state of an exchange of graphs.

import FoundationEssentials
import Graph

/// A sequence of graphs, each rendered until it has settled.
package struct JackExchange {
  package enum State: Sendable, Equatable {
    case underWay
    /// - Parameter frame: the first frame of the first graph; nil if the server has stopped since.
    case done(frame: Int64?)
  }

  enum Stage {
    /// The render thread has not taken the graph yet.
    case taking
    /// The render thread has taken it, and has yet to publish the frame.
    case reporting
    /// Removed parts fade out.
    case settling
  }

  let passages: [CompiledGraph]
  /// The names of ports registered for it.
  let newPorts: [String]
  /// The number of renderings taken before it.
  let takenRenderings: Int
  private let timeout: TimeInterval
  private var deadline: Date
  private(set) var stage = Stage.taking
  /// The index of the published graph.
  private(set) var step = 0
  /// The first frame of the first graph, once it is known.
  var frame: Int64?
  /// Whether a stalled render thread may still use its graphs.
  var strands = false

  /// - Parameter timeout: the time limit of each stage, in seconds.
  init(
    _ passages: [CompiledGraph], newPorts: [String], takenRenderings: Int, _ timeout: TimeInterval
  ) {
    (self.passages, self.newPorts) = (passages, newPorts)
    (self.takenRenderings, self.timeout) = (takenRenderings, timeout)
    deadline = Date(timeIntervalSinceNow: timeout)
  }

  /// The published graph.
  var graph: CompiledGraph { passages[step] }
  var isLast: Bool { step == passages.count - 1 }
  var isLate: Bool { Date() > deadline }

  mutating func proceed(to stage: Stage) {
    self.stage = stage
    deadline = Date(timeIntervalSinceNow: timeout)
  }

  /// Advances to the next graph, which the caller then publishes.
  mutating func goOn() {
    step += 1
    proceed(to: .taking)
  }
}
