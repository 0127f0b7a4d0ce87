// How sources are mixed.

import Session
import UnitModel

/// What comes to an input of a mixer.
struct MixedSource: Hashable, Sendable {
  /// What is connected there.
  let end: EngineGraph.End
  /// The source behind it whose mixing properties count; nil for none.
  let id: String?
}

extension EngineGraph {
  /// By the inputs of mixers. Where a source has gone and what it was heard through rings out, that
  /// stays as it was.
  fileprivate func mixedSources(following former: [End: MixedSource]) -> [End: MixedSource] {
    var sources: [End: MixedSource] = [:]
    for connection in connections
    where node(connection.to.id)?.unit.inputBusses.isOpen ?? false {
      let id = mixed(connection.from.id)
      let before = former[connection.to]
      sources[connection.to] =
        id == nil && before?.end == connection.from
        ? before : MixedSource(end: connection.from, id: id)
    }
    return sources
  }
}

extension Engine {
  /// Gives inputs of mixers to which something else comes what that has, and follows what is set
  /// from now on. What somebody has set at an input stays as long as its source.
  func settle(_ graph: EngineGraph) {
    let (changed, all) = state.withLock { state in
      let former = state.mixed
      state.mixed = graph.mixedSources(following: former)
      return (state.mixed.filter { former[$0.key] != $0.value }, state.mixed)
    }
    for (input, source) in changed {
      var values: [String: Float] = [:]
      if let id = source.id, let unit = graph.node(id)?.unit as? any Mixing {
        values = unit.mixing.values
      }
      for parameter in Self.strip(of: input, in: graph) {
        let value = values[parameter.identifier] ?? parameter.defaultValue
        if parameter.value != value { try? parameter.setValue(value) }
      }
    }
    for node in graph.nodes {
      guard let mixing = (node.unit as? any Mixing)?.mixing else { continue }
      let parameters = all.filter { $0.value.id == node.id }.keys.flatMap {
        Self.strip(of: $0, in: graph)
      }
      mixing.setObserver { identifier, value in
        for parameter in parameters where parameter.identifier == identifier {
          try? parameter.setValue(value)
        }
      }
    }
  }

  /// The parameters that a mixer has for an input.
  private static func strip(of input: EngineGraph.End, in graph: EngineGraph) -> [Parameter] {
    graph.node(input.id)?.unit.strip(ofInput: input.bus)?.allParameters ?? []
  }
}
