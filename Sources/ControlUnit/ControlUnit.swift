// Where controllers come into a session.

public import MIDIStages
public import UnitModel
public import UnitRender

/// Takes MIDI, and moves parameters of other units by it: each on the frame of the message. Presses
/// and program changes set off what takes many values, or the session.
///
/// A session with mappings has one; it is no component. A graph brings its events to the units that
/// they are for by `Graph.connectParameters`.
///
/// AUv3: none; hosts map controllers themselves, by `AUParameterTree` on a control thread.
public final class ControlUnit: AudioUnit, @unchecked Sendable {
  private let tables = ControlTables()

  /// - Thread: [control]
  public init() throws {
    super.init(
      componentDescription: ComponentDescription(
        type: .midiProcessor, subtype: "ctrl", manufacturer: "Aurc"),
      parameterTree: try ParameterTree(children: []))
  }

  /// What moves what, at most `MappingConfiguration.maximumCount` of them. Others can be set while
  /// it plays: they take over at the start of a call, and those that stay go on as they were.
  ///
  /// - Thread: [control]
  public var mappings: [ControlMapping] {
    get { tables.mappings }
    set { tables.set(newValue) }
  }

  /// What had to wait for what came before it.
  ///
  /// - Thread: [any]
  public var counters: DeferredEventCounters { tables.counters }

  /// Has messages kept for `takeHeard`, or no longer.
  ///
  /// - Thread: [control]
  public func setListening(_ isListening: Bool) { tables.ear.setOpen(isListening) }

  /// The channel messages that have come since the last call.
  ///
  /// - Thread: [control], one thread at a time.
  public func takeHeard() -> [ShortMessage] { tables.ear.take() }

  /// Where controls are told of their parameters.
  public override var midiOutputNames: [String] { ["control"] }

  /// Has all controls be told where their parameters are, whatever they were told before.
  ///
  /// - Thread: [any]
  public func tellControls() { tables.feedbackRequests.add(1, to: 0) }

  /// What was set off since the last call, in its order.
  ///
  /// - Thread: [control], one thread at a time.
  public func takeSetOff() -> [ControlAction] { tables.takeNews() }

  /// The parameters that controllers have moved since the last call, by their first frames. What
  /// triggers move is not among them.
  ///
  /// - Thread: [control], one thread at a time.
  public func takeMoves() -> [ControlMove] { tables.takeMoves() }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let context = KernelContext.allocate(
      tables.makeKernel(sampleRate: sampleRate), outputChannels: [],
      maximumFrames: maximumFramesToRender)
    let render = InternalRender(render: controlRender, reset: controlReset, context: context)
    return RenderResources(render) { [tables] in
      KernelContext.deallocate(context, of: ControlKernel.self)
      tables.release()
    }
  }
}

extension ControlUnit: ReportingUnit {
  public var counts: [UnitCount] {
    [.lostMIDIEvents(counters.lostEvents)]
      + UnitCount.deferredEvents(
        counters.deferredEvents, longest: counters.longestDelayFrames)
      + [
        UnitCount(
          "presses and program changes of which the session did not hear, because too many came",
          tables.reports.lostCount)
      ]
  }
}
