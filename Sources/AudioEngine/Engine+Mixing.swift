// How sources are mixed.

import Session
import UnitModel

/// What comes to an input of a mixer.
struct MixedSource: Hashable, Sendable {
  /// What is connected there.
  let end: EngineGraph.End
  /// The source behind it whose mixing properties count; nil for none.
  let source: ObjectIdentifier?
}

extension EngineGraph {
  /// By the inputs of mixers. Where a source has gone and what it was heard through rings out, that
  /// stays as it was.
  fileprivate func mixedSources(following former: [End: MixedSource]) -> [End: MixedSource] {
    var sources: [End: MixedSource] = [:]
    for link in links {
      guard case .bus(let mixer, _) = link.to, let from = link.from.unit,
        node(mixer)?.unit.inputBusses.isOpen ?? false
      else { continue }
      let source = mixed(from)
      let before = former[link.to]
      sources[link.to] =
        source == nil && before?.end == link.from
        ? before : MixedSource(end: link.from, source: source)
    }
    return sources
  }
}

extension Engine {
  /// Gives inputs of mixers to which something else comes what that has, and follows what is set
  /// from now on. What somebody has set at an input stays as long as its source.
  ///
  /// - Parameter setsValues: false where somebody else has changed the graph.
  func settle(_ graph: EngineGraph, setsValues: Bool = true) {
    let (changed, all) = state.withLock { state in
      let former = state.mixed
      state.mixed = graph.mixedSources(following: former)
      return (state.mixed.filter { former[$0.key] != $0.value }, state.mixed)
    }
    for (input, source) in changed where setsValues {
      var values: [String: Float] = [:]
      if let key = source.source, let unit = graph.node(key)?.unit as? any Mixing {
        values = unit.mixing.values
      }
      for parameter in Self.strip(of: input, in: graph) {
        let value = values[parameter.identifier] ?? parameter.defaultValue
        if parameter.value != value { try? parameter.setValue(value) }
      }
    }
    for node in graph.nodes {
      guard let mixing = (node.unit as? any Mixing)?.mixing else { continue }
      let parameters = all.filter { $0.value.source == node.key }.keys.flatMap {
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
    guard case .bus(let mixer, let bus) = input else { return [] }
    return graph.node(mixer)?.unit.strip(ofInput: bus)?.allParameters ?? []
  }
}
