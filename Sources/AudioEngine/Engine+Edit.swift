// Changes of an engine's graph, one after the other.

import SessionModel

extension Engine {
  /// Changes the graph, and what is rendered of it; where that is refused, nothing has changed.
  ///
  /// - Parameters:
  ///   - text: what is done, for the journal.
  ///   - change: changes the graph as it is once nobody else changes it.
  func edit(
    _ text: String, _ change: @escaping @Sendable (inout EngineGraph) throws(EngineError) -> Void
  ) async throws(EngineError) {
    try await inTurn { [self] () throws(EngineError) in try await render(text, change) }
  }

  /// Has what is done wait for what was begun before.
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

  /// Changes the graph, in turn, and has it rendered if anything is.
  func render(
    _ text: String, _ change: @escaping @Sendable (inout EngineGraph) throws(EngineError) -> Void
  ) async throws(EngineError) {
    defer { state.withLock { $0.edit = nil } }
    do {
      // What is paused follows when it goes on.
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

  /// Takes back what was begun, if it has not been.
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
  /// - Parameter entersSession: whether what is to be rendered becomes a session.
  /// - Returns: what is to be rendered of it.
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

  /// Takes what the session has become, by whomever.
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
