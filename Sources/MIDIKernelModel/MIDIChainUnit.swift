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
  /// - Parameters:
  ///   - tree: a unit's parameters, with the group of this layout.
  ///   - sampleRate: the unit's, in hertz.
  /// - Thread: [control]
  public func makeChain(settings tree: ParameterTree, sampleRate: Double) -> MIDIChain {
    let targets = tree.allParameters.filter(\.isMIDITarget).map(MIDIChainTarget.init)
    let chain = MIDIChain.allocate(self, targets: targets, sampleRate: sampleRate)
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
    let isFine = parameter.flags.contains(.canRamp) || parameter.flags.contains(.highResolution)
    let isWhole = !isFine && [.indexed, .boolean, .midiNoteNumber].contains(parameter.unit)
    self.init(
      address: parameter.address, range: parameter.range,
      isLogarithmic: parameter.flags.display == .displayLogarithmic, isStepped: isWhole,
      canRamp: parameter.flags.contains(.canRamp))
  }
}
