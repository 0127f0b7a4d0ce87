// A session that runs gets another structure.

import Configuration
import Graph
import SessionModel
import UnitModel

extension JackSession {
  /// Carries an edit out, on the thread that runs the session; one of the structure is done when
  /// what goes has faded, and begun behind what the host changes already.
  func carryOut(_ edit: SessionEdit) {
    // What controllers have set off since comes before it.
    carryOutSetOff()
    guard let structure = edit.structure else { return edit.finish(nil) }
    guard exchange == nil else { return waitingEdits.append(edit) }
    do {
      try EditFrame.checkNear(edit.frame, clock())
      try restructure(edit, structure)
    } catch { edit.refuse(error) }
  }

  /// Begins what had to wait for the host.
  func carryOutWaitingEdits() {
    while exchange == nil, !waitingEdits.isEmpty { carryOut(waitingEdits.removeFirst()) }
  }

  /// What is in both structures sounds on.
  private func restructure(_ edit: SessionEdit, _ structure: SessionStructure) throws {
    var next = try plan.following(structure, listens: learning != nil)
    for id in structure.units.map(\.configuration.id) {
      guard let reason = remotes.lazy.compactMap({ $0.refusal(ofUnit: id.value) }).first else {
        continue
      }
      throw ConfigurationProblem(reason, accepted: "another id", at: id.location)
    }
    if let mistake = host?.mistakes(in: next.wishes, asClient: nil).first { throw mistake }
    // What renders it finds mistakes by itself.
    if host == nil || edit.isTrial || edit.first?.isEmpty == false { try next.graph.check() }
    if edit.isTrial { return edit.finish(nil) }
    next.ringing = ringing(behind: next, edit.ringingOut)
    try edit.first?.make()
    do {
      guard let host else {
        // A server that comes back compiles it.
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

  /// Is another session from now on, which is rendered already.
  private func become(_ next: SessionPlan, _ structure: SessionStructure) {
    let isOffline = plan.graph.nodes.contains { $0.unit.isRenderingOffline }
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
  }
}
