// A unit that is a MIDI chain.

public import MIDIStages
public import MIDIStagesModel
public import UnitModel
import UnitRender

/// A MIDI chain as a unit: sends its MIDI input through a chain of stages to its MIDI output. It
/// has no audio.
///
/// - Messages of all kinds, SysEx too, keep their frame and order. A stage's messages have the
///   frame of the event they are made from, or their own if they are played in time. Without stages
///   everything passes unchanged.
/// - The cost of events is limited; beyond the limit they are deferred: see `MIDIChainPlayer`.
///   `midiCounters` counts them.
/// - While bypassed, it passes its input on; its stages still end the notes that they have let in.
/// - Parameters: `midi.…`, the settings of the stages. The stages can be exchanged while it plays
///   (`setMIDIStages`).
///
/// AUv3: an audio unit of type `kAudioUnitType_MIDIProcessor`.
public final class MIDIEffectUnit: AudioUnit, MIDIChainUnit, @unchecked Sendable {
  /// The stages of the MIDI chain, in order.
  ///
  /// - Thread: [control]
  public var midiLayout: MIDIChainLayout { midi.layout }
  public var midiCounters: DeferredEventCounters { midi.counters }
  private let midi: MIDIChainHost

  /// Makes a MIDI chain without render resources.
  ///
  /// - Parameter midiStages: the kinds of the chain's stages, which all MIDI passes in this order.
  /// - Throws: `MIDIStagesError` for too many stages.
  /// - Thread: [control]
  public init(
    componentDescription: ComponentDescription = MIDIEffectUnit.component.description,
    midiStages: [MIDIStageKind] = []
  ) throws {
    try MIDIChainHost.check(midiStages)
    midi = MIDIChainHost(midiStages)
    super.init(
      componentDescription: componentDescription, parameterTree: try Self.tree(midi.layout),
      parameterReserve: MIDIChainHost.parameterReserve)
  }

  private static func tree(_ layout: MIDIChainLayout) throws(ParameterTreeError) -> ParameterTree {
    try ParameterTree(children: layout.stages.isEmpty ? [] : [layout.parameterGroup()])
  }

  public func setMIDIStages(_ kinds: [MIDIStageKind]) throws(MIDIStagesError) {
    try midi.setStages(kinds, of: self, tree: Self.tree)
  }

  /// The component to register: `aumi/mchn/Aurc`, short name `midi`. Its units have no stages and
  /// pass everything unchanged.
  ///
  /// - Thread: [any]
  public static let component = component(midiStages: [])

  /// The component for units with a MIDI chain of these stages.
  ///
  /// - Thread: [any]
  public static func component(midiStages: [MIDIStageKind]) -> Component {
    Component(
      description: ComponentDescription(
        type: .midiProcessor, subtype: "mchn", manufacturer: "Aurc"),
      name: "MIDI Effect", shortName: "midi", unitType: MIDIEffectUnit.self
    ) { description, _ in
      try MIDIEffectUnit(componentDescription: description, midiStages: midiStages)
    }
  }

  public override var midiOutputNames: [String] { ["Output"] }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let player = midi.makePlayer(for: self)
    return RenderResources(
      MIDIEffectKernel(chain: player, sampleRate: sampleRate, isBypassed: false), for: self,
      render: midiEffectRender, reset: midiEffectReset
    ) { [midi] in midi.release(player) }
  }
}
