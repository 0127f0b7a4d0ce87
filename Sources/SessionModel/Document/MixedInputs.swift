// Mixer inputs by source.

import Configuration
import UnitModel

/// An input of a mixer.
package struct MixedInput: Hashable {
  package let mixer: String
  /// The input's index, from 0.
  package let input: Int
}

extension SessionConfiguration {
  /// Returns mixer inputs by source, in the order of the connections. The source is found upstream
  /// of an input, past units that are no mixers and have exactly one input connection.
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
    /// Input units of each unit, one for each connection.
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
  /// Returns the parameter group of an input; nil if the unit is no mixer.
  package func strip(ofInput input: Int) -> ParameterGroup? {
    inputBusses.isOpen
      ? parameterTree.node(keyPath: "inputs.\(input + 1)") as? ParameterGroup : nil
  }
}
