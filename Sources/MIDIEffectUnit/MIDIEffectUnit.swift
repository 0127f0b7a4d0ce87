// A MIDI chain as a unit of its own.

public import MIDIStages
public import MIDIStagesModel
public import UnitModel
import UnitRender

/// Takes MIDI, sends it through a chain of stages, and sends on what comes out. It has no audio.
///
/// - Messages of all kinds, SysEx too, leave on the frame on which they came, in their order; what
///   a stage makes of an event has that event's frame, what it plays in time its own. Without
///   stages everything passes as it is.
/// - What events cost has a bound; beyond it they wait: see `MIDIChainPlayer`. `midiCounters` tell
///   of it.
/// - Bypassed, it sends on what comes; notes that its stages have let in still end as they say.
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

  /// - Parameter midiStages: the kinds of the chain's stages, which all MIDI passes in this order.
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

  /// The component to register: `aumi/mchn/Aurc`, short name `midi`. Its units pass everything as
  /// it is.
  ///
  /// - Thread: [any]
  public static let component = component(midiStages: [])

  /// The same component, for units with a MIDI chain of these stages.
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
    let context = KernelContext.allocate(
      MIDIEffectKernel(
        chain: player, sampleRate: sampleRate, isBypassed: false),
      outputChannels: [],
      maximumFrames: maximumFramesToRender)
    let render = InternalRender(render: midiEffectRender, reset: midiEffectReset, context: context)
    return RenderResources(render) { [midi] in
      KernelContext.deallocate(context, of: MIDIEffectKernel.self)
      midi.release(player)
    }
  }
}
