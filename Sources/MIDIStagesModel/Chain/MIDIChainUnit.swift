// What units with a MIDI chain have in common, and how a chain is made of a unit's parameters.

public import MIDIStages
public import UnitModel

/// A unit whose MIDI passes a chain of stages first.
///
/// Its parameter tree has the group that `MIDIChainLayout.parameterGroup()` makes, behind the
/// unit's own parameters; its kernel sends the events of each call through the chain in
/// `transformEvents`. `MIDIChainHost` does what the control side has to do.
public protocol MIDIChainUnit: AudioUnit {
  /// The stages of the chain, in order.
  ///
  /// - Thread: [control]
  var midiLayout: MIDIChainLayout { get }

  /// What the chain has had wait.
  ///
  /// - Thread: [any]
  var midiCounters: DeferredEventCounters { get }

  /// Gives the unit a chain of other stages, also while it plays.
  ///
  /// A stage is the same by its kind and its place among those of its kind: the first transpose
  /// stage stays the first, wherever it stands. Stages that stay keep their settings, new ones have
  /// the defaults; what a stage remembers of MIDI, such as a clock's tempo, begins anew. The unit's
  /// parameter tree is replaced, and observers hear of `.parameterTree`.
  ///
  /// The new chain takes over at the start of a call. What is held goes on, and ends, as it was
  /// begun, through the old chain, which ends with the last key and pedal, and with it latched
  /// arpeggios and repeats that are still to come. It ends at once when a further chain takes over.
  /// No note sticks.
  ///
  /// - Throws: `MIDIStagesError`, with nothing changed.
  ///
  /// AUv3: a unit that sets its `parameterTree`; stages have no counterpart.
  /// - Thread: [control]
  func setMIDIStages(_ kinds: [MIDIStageKind]) throws(MIDIStagesError)
}

extension MIDIChainLayout {
  /// A chain with the values that the parameters of its group have.
  ///
  /// - Parameters:
  ///   - tree: a unit's parameters, with the group of this layout.
  ///   - sampleRate: the unit's, in hertz.
  ///   - firstValues: for each stage the place of its first parameter among the unit's values;
  ///     without, the chain's parameters follow each other.
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

  /// The parameters that a stage can move: the unit's own, and those of the stages behind it.
  ///
  /// - Parameters:
  ///   - stage: of this layout.
  ///   - tree: a unit's parameters, with the group of this layout.
  /// - Thread: [control]
  public func targets(of stage: Stage, in tree: ParameterTree) -> [Parameter] {
    let place = self.place(ofAddress: stage.baseAddress) ?? 0
    return tree.allParameters.filter {
      $0.isMIDITarget && (self.place(ofAddress: $0.address) ?? .max) > place
    }
  }
}

extension Parameter {
  /// Whether it may be set by an event, and has a number as a target.
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
