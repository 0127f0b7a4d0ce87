// Which source is mixed at which input.

import Configuration
import UnitModel

/// An input of a mixer.
package struct MixedInput: Hashable {
  package let mixer: String
  /// From 0 on.
  package let input: Int
}

extension SessionConfiguration {
  /// By source, the inputs of mixers that its sound comes to, in the order of the connections. The
  /// source is what makes the sound, or mixes it, behind whatever processes it alone.
  ///
  /// - Parameter isMixer: whether a unit has an input for each source.
  package func mixedInputs(_ isMixer: (String) -> Bool) -> [String: [MixedInput]] {
    var mixed: [(heard: String, input: MixedInput)] = []
    for connection in connections {
      guard case .unit(let mixer, .index(let input)?) = connection.to.value, isMixer(mixer),
        let heard = connection.from.value.unit
      else { continue }
      mixed.append((heard, MixedInput(mixer: mixer, input: input)))
    }
    if mixed.isEmpty { return [:] }
    /// By unit, those that it hears, one for each connection.
    var heard: [String: [String]] = [:]
    for connection in connections {
      guard let from = connection.from.value.unit, let to = connection.to.value.unit else {
        continue
      }
      heard[to, default: []].append(from)
    }
    var inputs: [String: [MixedInput]] = [:]
    for (id, input) in mixed {
      var source = id
      var seen: Set<String> = []
      while seen.insert(source).inserted, !isMixer(source), let before = heard[source],
        before.count == 1
      {
        source = before[0]
      }
      inputs[source, default: []].append(input)
    }
    return inputs
  }
}

extension AudioUnit {
  /// The parameters that it has for one of its inputs; none for a unit that is no mixer.
  package func strip(ofInput input: Int) -> ParameterGroup? {
    inputBusses.isOpen
      ? parameterTree.node(keyPath: "inputs.\(input + 1)") as? ParameterGroup : nil
  }
}
