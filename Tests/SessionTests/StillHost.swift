// A host that renders nothing.

import Configuration
import Graph
import GraphRender

@testable import Session
@testable import SessionModel

/// A host that reports the outside ports a test sets, and completes changes at once.
final class StillHost: SessionHost {
  /// The reported problems of outside ports.
  var wrong: [ConfigurationProblem] = []
  /// The error that refuses a change; nil if changes can begin.
  var refusal: String?
  /// Connections of the session's ports.
  var links: [HostLink] = []
  /// Number of changes begun.
  private(set) var changeCount = 0
  /// Client names passed to `mistakes`, one a call.
  private(set) var names: [String?] = []
  private(set) var graph: Graph

  init(_ plan: SessionPlan) { graph = plan.graph }

  var clientName: String { "still" }
  var serverName: String { "still" }
  var serverSampleRate: Int { 48_000 }
  var serverPeriod: Int { 64 }
  var load: Float? { nil }
  var sampleRate: Double? { 48_000 }
  var compiled: CompiledGraph? { nil }
  var statistics: HostStatistics { HostStatistics(cycles: 1, xruns: 0, period: 64, frame: 0) }
  var clock: @Sendable () -> SessionClock? { { nil } }

  func begin(
    _ plan: SessionPlan, _ rendered: Graph, from startFrame: Int64?, connectsOutside: Bool
  ) throws(SessionError) {
    if let refusal { throw .failed(refusal) }
    graph = rendered
    changeCount += 1
  }

  func advance(waits: Bool) throws(SessionError) -> HostChange { .done(frame: nil) }
  func endNotesSent() {}
  func stop() {}

  func mistakes(in requests: [RequestedConnection], asClient name: String?)
    -> [ConfigurationProblem]
  {
    names.append(name)
    return wrong
  }
}
