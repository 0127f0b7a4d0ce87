// Units that ring out after they were removed from a session.

import Graph
import SessionModel
import UnitModel

extension SessionPlan {
  /// Sets the ends of tails that begin at a frame.
  ///
  /// - Parameter ids: the units that were removed there.
  mutating func setEnds(ofTails ids: Set<String>, from frame: Int64?) {
    guard let frame else { return }
    for index in ringing.indices where ids.contains(ringing[index].node.id) {
      ringing[index].endFrame = frame + RingingUnit.tailFrames(of: ringing[index].node.unit)
    }
  }
}

extension JackSession {
  /// Returns the units that ring out under the next plan, as if it began now.
  ///
  /// - Parameter removed: the ids of removed units that ring out.
  func ringing(behind next: SessionPlan, _ removed: Set<String>) -> [RingingUnit] {
    let nodes = next.graph.nodes
    let now = Int64(host?.statistics.frame ?? 0)
    let new = plan.graph.nodes.filter { removed.contains($0.id) }.map {
      RingingUnit(node: $0, endFrame: now + RingingUnit.tailFrames(of: $0.unit))
    }
    return (plan.ringing + new).filter { ringing in
      // A unit with the same id takes its ports; a restored unit is heard as before.
      !nodes.contains { $0.id == ringing.node.id || $0.unit === ringing.node.unit }
        && ringing.endFrame > now
    }
  }

  /// Returns the graph to render for a plan: its units, and those that ring out.
  func rendered(_ next: SessionPlan) throws(GraphError) -> Graph {
    guard !next.ringing.isEmpty, let former = host?.graph else { return next.graph }
    let graph = Graph(copying: next.graph)
    for ringing in next.ringing { try graph.ringOut(ringing.node, of: former) }
    return graph
  }

  /// Removes the units that have rung out. Called several times a second.
  func endRinging() {
    guard exchange == nil, let host, !plan.ringing.isEmpty else { return }
    let now = Int64(host.statistics.frame)
    let ended = plan.ringing.filter { $0.endFrame <= now }
    if ended.isEmpty { return }
    var next = plan
    next.ringing.removeAll { $0.endFrame <= now }
    do throws(SessionError) {
      try begin(next, on: host) { [self] result in
        if case .failure(let error) = result { return keepRinging(error, now) }
        plan = next
        for ringing in ended { try? ringing.node.unit.deallocateRenderResources() }
      }
    } catch { keepRinging(error, now) }
  }

  private func keepRinging(_ error: SessionError, _ now: Int64) {
    log.warning("\(error)")
    // Tried again after 48,000 frames, not twenty times a second.
    for index in plan.ringing.indices { plan.ringing[index].endFrame = now + 48_000 }
  }

  /// Forgets the units that ring out, once nothing renders them.
  func forgetRinging() {
    for ringing in plan.ringing { try? ringing.node.unit.deallocateRenderResources() }
    plan.ringing = []
  }
}
