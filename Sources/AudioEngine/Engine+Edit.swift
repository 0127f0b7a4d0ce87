// Changes of an engine's graph, one after the other.

import SessionModel

extension Engine {
  /// Changes the graph and its rendering. If the change is refused, both are unchanged.
  ///
  /// - Parameters:
  ///   - text: a description for the journal.
  ///   - change: changes the current graph, once all earlier edits are done.
  func edit(
    _ text: String, _ change: @escaping @Sendable (inout EngineGraph) throws(EngineError) -> Void
  ) async throws(EngineError) {
    try await inTurn { [self] () throws(EngineError) in try await render(text, change) }
  }

  /// Runs `work` once all earlier work has ended.
  func inTurn(
    _ work: @escaping @Sendable () async throws(EngineError) -> Void
  ) async throws(EngineError) {
    let task = state.withLock { state in
      let before = state.last
      let task = Task.detached {
        _ = await before?.result
        try await work()
      }
      state.last = task
      return task
    }
    do { try await task.value } catch { throw .refused(error) }
  }

  /// Changes the graph, and its rendering unless the engine is paused or stopped. Called in turn.
  func render(
    _ text: String, _ change: @escaping @Sendable (inout EngineGraph) throws(EngineError) -> Void
  ) async throws(EngineError) {
    defer { state.withLock { $0.edit = nil } }
    do {
      // A paused engine applies its changes when it resumes.
      switch state.withLock({ $0.isPaused }) ? nil : host.withLock({ $0 }) {
      case .jack(let session)?:
        try await session.edit(text, takingBack: takeBack) { [self] in
          try begin(change, entersSession: true)
        }
      case .offline(let lent)?: try lent.follow(begin(change))
      case nil: _ = try begin(change)
      }
    } catch {
      takeBack()
      throw .refused(error)
    }
  }

  /// Takes back the edit that is under way, if any.
  private func takeBack() {
    let restored = state.withLock { state -> EngineGraph? in
      guard let edit = state.edit else { return nil }
      state.edit = nil
      state.graph.takeBack(from: edit.after, to: edit.before)
      return state.graph
    }
    if let restored { settle(restored) }
  }

  /// Changes the graph.
  ///
  /// - Parameter entersSession: whether the new structure becomes part of a session.
  /// - Returns: the structure to render.
  private func begin(
    _ change: (inout EngineGraph) throws(EngineError) -> Void, entersSession: Bool = false
  ) throws(EngineError) -> ProgramStructure {
    let (graph, structure) = try state.withLock {
      (state) throws(EngineError) -> (EngineGraph, ProgramStructure) in
      let before = state.graph
      var after = before
      try change(&after)
      let structure = after.structure
      if entersSession { after.enter(structure) }
      state.graph = after
      state.edit = (before, after)
      return (after, structure)
    }
    settle(graph)
    return structure
  }

  /// Follows a change of the session, whether by the program or by others.
  ///
  /// - Thread: the one that runs the session.
  func follow(_ session: ProgramStructure) {
    let graph = state.withLock { state in
      state.graph.follow(session)
      return state.graph
    }
    settle(graph, setsValues: false)
  }
}
