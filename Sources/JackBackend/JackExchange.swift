// How far the render thread has gone on with graphs that follow each other.

import Foundation
import Graph

/// Graphs that follow each other, each until it has settled.
package struct JackExchange {
  package enum State: Sendable, Equatable {
    case underWay
    /// - Parameter frame: the first one of the first graph; nil where the server has stopped since.
    case done(frame: Int64?)
  }

  enum Stage {
    /// The render thread has not taken the graph yet.
    case taking
    /// It has, and will tell on which frame.
    case telling
    /// What goes fades.
    case settling
  }

  let passages: [CompiledGraph]
  /// The names of ports that have come for it.
  let newPorts: [String]
  /// How many were taken before it.
  let takenRenderings: Int
  private let timeout: TimeInterval
  private var deadline: Date
  private(set) var stage = Stage.taking
  /// That of the graph which is published.
  private(set) var place = 0
  /// The first frame of the first graph, once it is known.
  var frame: Int64?
  /// Whether a render thread that runs no cycles may still use its graphs.
  var strands = false

  /// - Parameter timeout: how long each stage may take, in seconds.
  init(
    _ passages: [CompiledGraph], newPorts: [String], takenRenderings: Int, _ timeout: TimeInterval
  ) {
    (self.passages, self.newPorts) = (passages, newPorts)
    (self.takenRenderings, self.timeout) = (takenRenderings, timeout)
    deadline = Date(timeIntervalSinceNow: timeout)
  }

  /// The one that is published.
  var graph: CompiledGraph { passages[place] }
  var isLast: Bool { place == passages.count - 1 }
  var isLate: Bool { Date() > deadline }

  mutating func proceed(to stage: Stage) {
    self.stage = stage
    deadline = Date(timeIntervalSinceNow: timeout)
  }

  /// Goes on to the next graph, which is to be published.
  mutating func goOn() {
    place += 1
    proceed(to: .taking)
  }
}
