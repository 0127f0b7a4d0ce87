// What units with a MIDI chain have in common, and how a chain is made of a unit's parameters.

public import MIDIKernel
public import UnitModel

/// A unit whose MIDI passes a chain of stages first.
///
/// Its parameter tree has the group that `MIDIChainLayout.parameterGroup()` makes, behind the unit's own
/// parameters; its kernel sends the events of each call through the chain in `transformEvents`.
public protocol MIDIChainUnit: AudioUnit {
  /// The stages of the chain, in order.
  ///
  /// - Thread: [any]
  var midiLayout: MIDIChainLayout { get }

  /// The component, for units with a chain of these stages.
  ///
  /// - Thread: [any]
  static func component(midiStages: [MIDIStageKind]) -> Component
}

extension MIDIChainLayout {
  /// A chain with the values that the parameters of its group have.
  ///
  /// - Parameter tree: a unit's parameters, with the group of this layout.
  /// - Thread: [control]
  public func makeChain(settings tree: ParameterTree) -> MIDIChain {
    let chain = MIDIChain.allocate(self)
    for parameter in tree.allParameters {
      _ = chain.setParameter(address: parameter.address, to: parameter.value)
    }
    return chain
  }
}
