// Changes of an engine's graph, one after the other.

import Session

extension Engine {
  /// Changes the graph, and what is rendered of it; where that is refused, nothing has changed.
  ///
  /// - Parameter text: what is done, for the journal.
  func edit(
    _ text: String, _ change: @escaping @Sendable (inout EngineGraph) throws(EngineError) -> Void
  ) async throws(EngineError) {
    try await inTurn { [self] () throws(EngineError) in
      let (before, after) = try state.withLock {
        (state) throws(EngineError) -> (EngineGraph, EngineGraph) in
        let before = state.graph
        try change(&state.graph)
        return (before, state.graph)
      }
      do throws(EngineError) {
        settle(after)
        try await render(after, text)
      } catch {
        let restored = state.withLock { state in
          // What was attached meanwhile stays.
          let nodes = state.graph.nodes.filter { after.node($0.id) == nil }
          let connections = state.graph.connections.filter { !after.connections.contains($0) }
          let midi = state.graph.midi.filter { !after.midi.contains($0) }
          state.graph = before
          state.graph.nodes += nodes
          state.graph.connections += connections
          state.graph.midi += midi
          return state.graph
        }
        settle(restored)
        throw error
      }
    }
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
    do { try await task.value } catch let error as EngineError { throw error } catch {
      throw .refused(error)
    }
  }

  /// Has the graph rendered, if anything is.
  func render(_ graph: EngineGraph, _ text: String) async throws(EngineError) {
    // What is paused follows when it goes on.
    guard let host = host.withLock({ $0 }), !state.withLock({ $0.isPaused }) else { return }
    let structure = graph.structure(output: Self.outputID, input: Self.inputID)
    do {
      switch host {
      case .jack(let session): try await session.follow(structure, text)
      case .offline(let lent): try lent.follow(structure)
      }
    } catch { throw .refused(error) }
  }
}
