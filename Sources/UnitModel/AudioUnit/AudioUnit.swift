// The control side of a unit: what hosts see and unit developers subclass.

import Realtime
import Synchronization
import UnitRender

/// A unit that renders audio, as control threads see it.
///
/// A unit developer subclasses it: gives busses and parameters to `init`, makes the kernel in
/// `makeRenderResources`, and overrides the open properties that differ from their defaults. Only
/// the kernel runs on the render thread; everything here belongs to control threads, any of them.
///
/// The base class keeps the values of the parameters: a value that is set goes to the kernel as an
/// event, at once or as soon as there is a kernel.
///
/// AUv3: `AUAudioUnit`.
open class AudioUnit: @unchecked Sendable {
  /// The codes of what this unit is.
  ///
  /// - Thread: [any]
  public let componentDescription: ComponentDescription
  /// Where audio comes in.
  ///
  /// - Thread: [any]
  public let inputBusses: BusArray
  /// Where audio goes out.
  ///
  /// - Thread: [any]
  public let outputBusses: BusArray
  /// All parameters: the same ones for the life of the unit, unless it calls
  /// `replaceParameterTree`.
  ///
  /// AUv3: `parameterTree`.
  /// - Thread: [control]
  public var parameterTree: ParameterTree { state.withLock { $0.parameterTree } }

  let backing: ParameterBacking
  let state: Mutex<State>

  struct State: Sendable {
    var parameterTree: ParameterTree
    var component: Component?
    var maximumFrames = 512
    /// Of a unit without busses.
    var sampleRate = AudioFormat.standard.sampleRate
    var currentPreset: Preset?
    var presetStore: PresetStore?
    var resources: RenderResources?
    var observers: [(token: PropertyObserverToken, observer: PropertyObserver)] = []
  }

  /// Makes a unit without render resources.
  ///
  /// - Parameters:
  ///   - eventCapacity: How many scheduled events may wait for their frame, at least.
  ///   - systemExclusiveCapacity: How many bytes of SysEx may wait.
  ///   - parameterReserve: How many parameters, beside those of this tree, the trees may bring that
  ///     replace it.
  /// - Thread: [control]
  public init(
    componentDescription: ComponentDescription, inputBusses: BusArray = BusArray(.input),
    outputBusses: BusArray = BusArray(.output), parameterTree: ParameterTree,
    eventCapacity: Int = 1024, systemExclusiveCapacity: Int = 65536, parameterReserve: Int = 0
  ) {
    self.componentDescription = componentDescription
    self.inputBusses = inputBusses
    self.outputBusses = outputBusses
    state = Mutex(State(parameterTree: parameterTree))
    backing = ParameterBacking(
      tree: parameterTree, eventCapacity: eventCapacity,
      systemExclusiveCapacity: systemExclusiveCapacity, parameterReserve: parameterReserve)
    inputBusses.join(backing.gate)
    outputBusses.join(backing.gate)
    implement(parameterTree)
  }

  /// Makes the unit keep the values of a tree.
  func implement(_ parameterTree: ParameterTree) {
    let backing = backing
    parameterTree.implementorValueProvider = { backing.value(of: $0) }
    parameterTree.implementorValueObserver = {
      [weak self] (parameter, value) throws(ParameterError) in
      if parameter.flags.contains(.nonRealTime) {
        try self?.setNonRealTimeParameter(parameter, to: value)
        backing.store(value, for: parameter)
      } else {
        try backing.set(value, of: parameter)
      }
    }
  }

  deinit {
    // The kernel goes before the memory that it publishes to.
    state.withLock { $0.resources = nil }
  }

  // MARK: For unit developers

  /// Makes the kernel, from the busses' formats, `maximumFramesToRender` and `parameterValues`.
  ///
  /// Called once for each allocation, never while resources are allocated or rendering runs; values
  /// set meanwhile reach the kernel as events. What it returns is freed at deallocation.
  ///
  /// AUv3: the overrides of `allocateRenderResources`, `deallocateRenderResources` and
  /// `internalRenderBlock` in one.
  /// - Throws: `AudioUnitError.failed` with the reason.
  /// - Thread: [control]
  open func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    throw .failed("\(componentDescription) has no render side: override makeRenderResources")
  }

  /// Takes a new value of a parameter with the flag `nonRealTime`, which is no event for the
  /// kernel.
  ///
  /// - Throws: `ParameterError.refused`; the parameter then keeps its value.
  /// - Thread: [control]
  open func setNonRealTimeParameter(
    _ parameter: Parameter, to value: Float
  ) throws(ParameterError) {}

  /// The memory of the parameters' values, for the kernel to start from and publish to.
  ///
  /// A parameter's place is `parameterTree.index(ofAddress:)`, or, in a unit that replaces its
  /// tree, `parameterValueIndex(ofAddress:)`. Valid as long as the unit, or its render resources,
  /// exist.
  ///
  /// - Thread: [any]
  public var parameterValues: ParameterValues { backing.values }

  /// Pairs of channel counts that go together; nil leaves it to each bus, but for effects, which
  /// then take as many channels out as in.
  ///
  /// AUv3: `channelCapabilities`.
  /// - Thread: [control]
  open var channelCapabilities: [ChannelCapability]? { nil }

  /// Seconds by which the output lags behind the input; asked for once resources are allocated.
  ///
  /// It counts in whole frames, the nearest ones, up to 1,048,576 of them. A graph has parallel
  /// paths wait for the slowest one, MIDI with the audio, also while the unit is bypassed. A unit
  /// whose latency changes calls `notify(.latency)`; a host that compensates it compiles anew.
  ///
  /// AUv3: `latency`.
  /// - Thread: [control]
  open var latency: Double { 0 }

  /// Seconds that sound goes on after the input has ended, the latency among them; infinity if it
  /// may never end.
  ///
  /// AUv3: `tailTime`.
  /// - Thread: [control]
  open var tailTime: Double { 0 }

  /// The names of the MIDI outputs, one a cable; empty for units that send none.
  ///
  /// AUv3: `MIDIOutputNames`.
  /// - Thread: [control]
  open var midiOutputNames: [String] { [] }

  /// How many cables of MIDI the unit takes: 1 for the types that take MIDI, 0 for others.
  ///
  /// AUv3: `virtualMIDICableCount`.
  /// - Thread: [control]
  open var virtualMIDICableCount: Int {
    [.instrument, .musicEffect, .midiProcessor].contains(componentDescription.type) ? 1 : 0
  }

  // MARK: Presets and state, for unit developers

  /// The unit's factory presets, with numbers from 0 on.
  ///
  /// AUv3: `factoryPresets`.
  /// - Thread: [control]
  open var factoryPresets: [Preset] { [] }

  /// The values of a factory preset by key path; parameters left out keep theirs.
  ///
  /// - Thread: [control]
  open func factoryPresetValues(of preset: Preset) -> [String: Float] { [:] }

  /// Applies one of `factoryPresets`. The default sets the values that `factoryPresetValues` gives.
  ///
  /// - Throws: `StateError`; the current preset then stays.
  /// - Thread: [control]
  open func apply(factoryPreset preset: Preset) throws(StateError) {
    try applyValues(of: preset)
  }

  /// Whether the unit keeps user presets.
  ///
  /// AUv3: `supportsUserPresets`.
  /// - Thread: [control]
  open var supportsUserPresets: Bool { true }

  /// Settings of the unit beside its parameters, such as files it uses; part of its state.
  ///
  /// - Parameter forDocument: Whether settings that belong to a document alone are wanted too.
  /// - Thread: [control]
  open func settings(forDocument: Bool) -> StateDictionary { [:] }

  /// Checks settings before any of a state is applied. The default knows none.
  ///
  /// - Throws: `StateError`, with nothing changed.
  /// - Thread: [control]
  open func checkSettings(_ settings: StateDictionary) throws(StateError) {
    if let key = settings.keys.min() { throw .unknownEntry(key) }
  }

  /// Applies settings that `checkSettings` accepted. Settings that are missing have their defaults.
  ///
  /// - Throws: `StateError` for what only shows while applying them, such as a missing file.
  /// - Thread: [control]
  open func applySettings(_ settings: StateDictionary) throws(StateError) {}
}
