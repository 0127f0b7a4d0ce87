// The interface of units with a MIDI chain, and the making of a chain from a unit's parameters.

public import MIDIStages
public import UnitModel

/// A unit whose MIDI input passes a chain of stages first.
///
/// The unit's parameter tree has the group made by `MIDIChainLayout.parameterGroup()` after its own
/// parameters. Its kernel sends the events of each call through the chain in `transformEvents`.
/// `MIDIChainHost` implements the control side.
public protocol MIDIChainUnit: AudioUnit {
  /// The stages of the chain, in order.
  ///
  /// - Thread: [control]
  var midiLayout: MIDIChainLayout { get }

  /// Counts of the events that the chain has deferred.
  ///
  /// - Thread: [any]
  var midiCounters: DeferredEventCounters { get }

  /// Replaces the stages of the unit's chain, also while it plays.
  ///
  /// A stage is identified by its kind and its index among those of its kind. The first transpose
  /// stage stays the first, anywhere in the chain. Stages that stay keep their settings, new ones
  /// have the defaults. State from MIDI, such as a clock's tempo, is lost. The unit's parameter
  /// tree is replaced, and observers are notified of `.parameterTree`.
  ///
  /// The new chain takes over at the start of a call. Held keys and pedals continue in the old
  /// chain and end there. With the last of them the old chain ends, and so do its latched arpeggios
  /// and the repeats not yet played. It ends at once if a further chain takes over. No note sticks.
  ///
  /// - Throws: `MIDIStagesError`, with nothing changed.
  ///
  /// AUv3: a unit that sets its `parameterTree`; stages have no counterpart.
  /// - Thread: [control]
  func setMIDIStages(_ kinds: [MIDIStageKind]) throws(MIDIStagesError)
}

extension MIDIChainLayout {
  /// Makes a chain with the values of the parameters in its group.
  ///
  /// - Parameters:
  ///   - tree: a unit's parameters, with the group of this layout.
  ///   - sampleRate: the unit's, in hertz.
  ///   - firstValues: for each stage the index of its first parameter among the unit's values; nil
  ///     if the parameters of all stages follow each other.
  /// - Thread: [control]
  public func makeChain(
    settings tree: ParameterTree, sampleRate: Double, firstValues: [Int]? = nil
  ) -> MIDIChain {
    let targets = tree.allParameters.filter(\.isMIDITarget).map(MIDIChainTarget.init)
    let chain = MIDIChain.allocate(
      self, targets: targets, sampleRate: sampleRate, firstValues: firstValues)
    for parameter in tree.allParameters {
      _ = chain.setParameter(address: parameter.address, to: parameter.value)
    }
    return chain
  }

  /// The parameters that a stage can move: the unit's own, and those of the stages downstream of
  /// it.
  ///
  /// - Parameters:
  ///   - stage: of this layout.
  ///   - tree: a unit's parameters, with the group of this layout.
  /// - Thread: [control]
  public func targets(of stage: Stage, in tree: ParameterTree) -> [Parameter] {
    let index = self.place(ofAddress: stage.baseAddress) ?? 0
    return tree.allParameters.filter {
      $0.isMIDITarget && (self.place(ofAddress: $0.address) ?? .max) > index
    }
  }
}

extension Parameter {
  /// Whether an event may set the parameter, and the parameter has a number as a target.
  fileprivate var isMIDITarget: Bool {
    flags.contains(.writable) && !flags.contains(.nonRealTime)
      && MIDIChainTarget.number(ofAddress: address) != nil
  }
}

extension MIDIChainTarget {
  fileprivate init(_ parameter: Parameter) {
    self.init(
      address: parameter.address, range: parameter.range,
      isLogarithmic: parameter.flags.contains(.displayLogarithmic), isStepped: parameter.isWhole,
      canRamp: parameter.flags.contains(.canRamp))
  }
}
