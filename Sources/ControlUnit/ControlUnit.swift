// The unit that receives a session's controllers.

public import MIDIStages
public import UnitModel
public import UnitRender

/// Moves parameters of other units by MIDI messages, on the frame of each message. Presses and
/// program changes execute triggers, which set several values or need the session.
///
/// A session with mappings has one; it is no component. `Graph.connectParameters` routes its events
/// to their target units.
///
/// AUv3: none; hosts map controllers themselves, by `AUParameterTree` on a control thread.
public final class ControlUnit: AudioUnit, @unchecked Sendable {
  private let tables = ControlTables()

  /// Makes a unit without mappings without render resources.
  ///
  /// - Throws: `ParameterTreeError`.
  /// - Thread: [control]
  public init() throws {
    super.init(
      componentDescription: ComponentDescription(
        type: .midiProcessor, subtype: "ctrl", manufacturer: "Aurc"),
      parameterTree: try ParameterTree(children: []))
  }

  /// The mappings, at most `MappingConfiguration.maximumCount`. They can be replaced during
  /// playback: new ones take effect at the start of a call, and those that stay keep their state.
  ///
  /// - Thread: [control]
  public var mappings: [ControlMapping] {
    get { tables.mappings }
    set { tables.set(newValue) }
  }

  /// Counters of messages that waited for earlier ones.
  ///
  /// - Thread: [any]
  public var counters: DeferredEventCounters { tables.counters }

  /// Starts or stops keeping messages for `takeHeard`.
  ///
  /// - Thread: [control]
  public func setListening(_ isListening: Bool) { tables.ear.setOpen(isListening) }

  /// Returns the channel messages received since the last call, while listening.
  ///
  /// - Thread: [control], one thread at a time.
  public func takeHeard() -> [ShortMessage] { tables.ear.take() }

  /// The output for feedback to controls.
  public override var midiOutputNames: [String] { ["control"] }

  /// Requests feedback to all controls, whatever was sent before.
  ///
  /// - Thread: [any]
  public func requestFeedback() { tables.feedbackRequests.add(1, to: 0) }

  /// Returns the triggers executed since the last call, in order.
  ///
  /// - Thread: [control], one thread at a time.
  public func takeSetOff() -> [ControlAction] { tables.takeNews() }

  /// Returns the parameters that controllers have moved since the last call, sorted by their first
  /// frames. Changes by triggers are not included.
  ///
  /// - Thread: [control], one thread at a time.
  public func takeMoves() -> [ControlMove] { tables.takeMoves() }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(
      tables.makeKernel(sampleRate: sampleRate), for: self, render: controlRender,
      reset: controlReset
    ) { [tables] in tables.release() }
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
