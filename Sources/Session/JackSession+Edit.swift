// A session that runs gets another structure.

import Configuration
import Graph
import JackBackend
import UnitModel

extension JackSession {
  /// Carries an edit out, on the thread that runs the session, and answers.
  func carryOut(_ edit: SessionEdit) {
    do {
      try EditFrame.checkNear(edit.frame, clock())
      edit.finish(.success(try restructure(edit)))
    } catch { edit.finish(.failure(error)) }
  }

  /// What is in both structures sounds on; what goes has faded when this returns.
  ///
  /// - Returns: the frame on which the change began; nil where nothing renders.
  private func restructure(_ edit: SessionEdit) throws -> Int64? {
    let structure = edit.structure
    var next = try plan.following(structure, listens: learning != nil)
    if osc != nil, let unit = structure.units.first(where: { $0.isCalledLikeTheSession }) {
      throw ConfigurationProblem(
        "'\(unit.configuration.id.value)' is how OSC calls the session itself",
        accepted: "another id", at: unit.configuration.id.location)
    }
    let isOffline = plan.graph.nodes.contains { $0.unit.isRenderingOffline }
    var frame: Int64?
    if let host {
      try checkOutside(next)
      let before = connection?.backend.portNames
      next.ringing = ringing(behind: next, edit.ringingOut)
      if let others = edit.others {
        try next.graph.check()
        try others()
      }
      frame = try host.follow(next, rendered(next), from: edit.frame) {
        connectOutside(isSettled: true)
        guard let now = connection?.backend.portNames, let before else { return }
        restore(memory.links(of: now.subtracting(before)))
      }
    } else {
      // A server that comes back compiles it.
      try next.graph.check()
      try edit.others?()
      try next.graph.openInputs()
    }
    let kept = (next.graph.nodes + next.ringing.map(\.node)).map(\.unit)
    let identities = Set(kept.map { ObjectIdentifier($0) })
    let gone = (plan.graph.nodes + plan.ringing.map(\.node)).map(\.unit).filter {
      !identities.contains(ObjectIdentifier($0))
    }
    plan = next
    next.applyMappings()
    // Together, so that what is kept for a crash is of one moment.
    editor.setUnits(next.units)
    store.adopt(structure)
    tellStructure?(self)
    controllerMemory = ControllerMemory(
      store.origin.configuration, next.units, following: controllerMemory)
    for watch in watches { watch.watch?.follow(next.units) }
    for unit in kept { unit.isRenderingOffline = isOffline }
    // What undo brings back is made ready again. One that a server which hangs may still render
    // stays as it is.
    for unit in gone { try? unit.deallocateRenderResources() }
    for line in host.map({ next.warnings(atSampleRate: $0.serverSampleRate) }) ?? [] {
      log.warning("\(line)")
    }
    return frame
  }
}

extension SessionStructure.Unit {
  fileprivate var isCalledLikeTheSession: Bool {
    configuration.id.value == OSCRequest.ownName
  }
}
