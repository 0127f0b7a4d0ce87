// Structural changes of a running session.

import Configuration
import Graph
import SessionModel
import UnitModel

extension JackSession {
  /// Executes an edit on the thread that runs the session. A structural edit begins after the
  /// host's current change, and is done when removed parts have faded.
  func execute(_ edit: SessionEdit) {
    // Controllers' earlier actions are applied before it.
    executeSetOff()
    guard let structure = edit.structure else { return edit.finish(nil) }
    guard exchange == nil else { return waitingEdits.append(edit) }
    do {
      try EditFrame.checkNear(edit.frame, clock())
      try restructure(edit, structure)
    } catch { edit.refuse(error) }
  }

  /// Begins the edits that had to wait for the host.
  func executeWaitingEdits() {
    while exchange == nil, !waitingEdits.isEmpty { execute(waitingEdits.removeFirst()) }
  }

  /// Begins a change to another structure. Units in both structures keep playing.
  private func restructure(_ edit: SessionEdit, _ structure: SessionStructure) throws {
    var next = try plan.following(structure, listens: learning != nil)
    for id in structure.units.map(\.configuration.id) {
      guard let reason = remotes.lazy.compactMap({ $0.refusal(ofUnit: id.value) }).first else {
        continue
      }
      throw ConfigurationProblem(reason, accepted: "another id", at: id.location)
    }
    if let mistake = host?.mistakes(in: next.requests, asClient: nil).first { throw mistake }
    // A host checks the graph itself.
    if host == nil || edit.isTrial || edit.first?.isEmpty == false { try next.graph.check() }
    if edit.isTrial { return edit.finish(nil) }
    next.ringing = ringing(behind: next, edit.ringingOut)
    try edit.first?.make()
    do {
      guard let host else {
        // It is compiled when a server is back.
        try next.graph.openInputs()
        become(next, structure)
        return edit.finish(nil)
      }
      try begin(next, on: host, from: edit.frame, connectsOutside: true) { [self] result in
        switch result {
        case .success(let frame):
          next.setEnds(ofTails: edit.ringingOut, from: frame)
          become(next, structure)
          edit.finish(frame)
        case .failure(let error):
          edit.refuse(edit.first?.takeBack(because: error) ?? error)
        }
      }
    } catch { throw edit.first?.takeBack(because: error) ?? error }
  }

  /// Makes a plan that is already rendered the session's plan.
  private func become(_ next: SessionPlan, _ structure: SessionStructure) {
    let isOffline = plan.graph.nodes.contains { $0.unit.isRenderingOffline }
    let kept = (next.graph.nodes + next.ringing.map(\.node)).map(\.unit)
    let identities = Set(kept.map { ObjectIdentifier($0) })
    let gone = (plan.graph.nodes + plan.ringing.map(\.node)).map(\.unit).filter {
      !identities.contains(ObjectIdentifier($0))
    }
    plan = next
    next.applyMappings()
    // Set together, so that a recovery is of one moment.
    editor.setUnits(next.units)
    store.adopt(structure)
    notifyOfStructure?(self)
    controllerMemory = ControllerMemory(
      store.origin.configuration, next.units, following: controllerMemory)
    for watch in watches { watch.watch?.follow(next.units) }
    followMIDI()
    for unit in kept { unit.isRenderingOffline = isOffline }
    // Undo prepares units again. A unit that a hanging server may still render is left unchanged.
    for unit in gone { try? unit.deallocateRenderResources() }
    for line in host.map({ next.warnings(atSampleRate: $0.serverSampleRate) }) ?? [] {
      log.warning("\(line)")
    }
  }
}
