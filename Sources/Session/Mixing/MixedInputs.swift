// Which source is mixed at which input.

import Configuration
import UnitModel

/// An input of a mixer.
struct MixedInput: Hashable {
  let mixer: String
  /// From 0 on.
  let input: Int
}

extension SessionConfiguration {
  /// By source, the inputs of mixers that its sound comes to, in the order of the connections. The
  /// source is what makes the sound, or mixes it, behind whatever processes it alone.
  ///
  /// - Parameter isMixer: whether a unit has an input for each source.
  func mixedInputs(_ isMixer: (String) -> Bool) -> [String: [MixedInput]] {
    var inputs: [String: [MixedInput]] = [:]
    for connection in connections {
      guard case .unit(let mixer, .index(let input)?) = connection.to.value, isMixer(mixer),
        let heard = connection.from.value.unit
      else { continue }
      inputs[source(of: heard, isMixer), default: []].append(
        MixedInput(mixer: mixer, input: input))
    }
    return inputs
  }

  private func source(of id: String, _ isMixer: (String) -> Bool) -> String {
    var id = id
    var seen: Set<String> = []
    while seen.insert(id).inserted, !isMixer(id) {
      let before = connections.filter { $0.to.value.unit == id }.compactMap(\.from.value.unit)
      guard before.count == 1 else { break }
      id = before[0]
    }
    return id
  }
}

extension AudioUnit {
  /// The parameters that it has for one of its inputs; none for a unit that is no mixer.
  package func strip(ofInput input: Int) -> ParameterGroup? {
    inputBusses.isOpen
      ? parameterTree.node(keyPath: "inputs.\(input + 1)") as? ParameterGroup : nil
  }
}
