// Mixing properties of sources.

import Session
import UnitModel

/// The source of a mixer's input.
struct MixedSource: Hashable, Sendable {
  /// The connected output.
  let end: EngineGraph.End
  /// The upstream source whose mixing properties apply; nil if none.
  let source: ObjectIdentifier?
}

extension EngineGraph {
  /// Returns the sources by mixer input. If a source is removed while the unit that processes it is
  /// still connected, its entry stays.
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
  /// Copies the mixing properties of newly connected sources to their mixer inputs, else the
  /// defaults, and forwards later changes. Values set at an input stay as long as its source.
  ///
  /// - Parameter setsValues: false if the graph was changed by others.
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

  /// Returns a mixer's parameters for one input.
  private static func strip(of input: EngineGraph.End, in graph: EngineGraph) -> [Parameter] {
    guard case .bus(let mixer, let bus) = input else { return [] }
    return graph.node(mixer)?.unit.strip(ofInput: bus)?.allParameters ?? []
  }
}
