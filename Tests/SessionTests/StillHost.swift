// A host that renders nothing.

import Configuration
import Graph
import GraphRender

@testable import Session
@testable import SessionModel

/// Says what a test wants of the ports of other clients, and changes at once.
final class StillHost: SessionHost {
  /// What the ports of others can never be.
  var wrong: [ConfigurationProblem] = []
  /// Why a change cannot begin; nil where it can.
  var refusal: String?
  /// With what its ports are connected.
  var links: [HostLink] = []
  /// How often a change was begun.
  private(set) var changeCount = 0
  /// By which names of the client it was asked.
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
