// How sources are mixed.

import UnitModel

extension Engine {
  /// Gives the inputs of mixers what their sources have, and follows what is set from now on.
  func settle(_ graph: EngineGraph) {
    for node in graph.nodes {
      guard let source = node.unit as? any Mixing else { continue }
      if let end = graph.mixerInput(heardFrom: node.id), let mixer = graph.node(end.id)?.unit {
        // What is set to nothing in particular is as it would be at a new mixer.
        for parameter in Self.strip(of: mixer, end.bus) {
          let value = source.mixing[parameter.identifier] ?? parameter.defaultValue
          if parameter.value != value { try? parameter.setValue(value) }
        }
        source.mixing.setObserver { [weak mixer] identifier, value in
          guard let mixer else { return }
          for parameter in Self.strip(of: mixer, end.bus) where parameter.identifier == identifier {
            try? parameter.setValue(value)
          }
        }
      } else {
        source.mixing.setObserver(nil)
      }
    }
  }

  /// The parameters that a mixer has for an input.
  private static func strip(of mixer: AudioUnit, _ input: Int) -> [Parameter] {
    let group = mixer.parameterTree.children.first { $0.identifier == "inputs" }
    let strip = (group as? ParameterGroup)?.children.first { $0.identifier == "\(input + 1)" }
    return (strip as? ParameterGroup)?.allParameters ?? []
  }
}
