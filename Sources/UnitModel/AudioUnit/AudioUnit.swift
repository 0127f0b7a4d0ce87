// The control side of a unit, used by hosts and subclassed by unit developers.

import Realtime
import Synchronization
import UnitRender

/// A unit that renders audio, as control threads see it.
///
/// A unit developer subclasses it. The subclass passes busses and parameters to `init`, makes the
/// kernel in `makeRenderResources`, and overrides open properties as needed. Only the kernel runs
/// on the render thread; everything here may be called from any control thread.
///
/// The base class keeps the values of the parameters. It sends each value that is set to the kernel
/// as an event, at once or as soon as a kernel exists.
///
/// AUv3: `AUAudioUnit`.
open class AudioUnit: @unchecked Sendable {
  /// The codes of this unit's component.
  ///
  /// - Thread: [any]
  public let componentDescription: ComponentDescription
  /// The audio inputs.
  ///
  /// - Thread: [any]
  public let inputBusses: BusArray
  /// The audio outputs.
  ///
  /// - Thread: [any]
  public let outputBusses: BusArray
  /// The parameters; the same ones for the lifetime of the unit, unless it calls
  /// `replaceParameterTree`.
  ///
  /// AUv3: `parameterTree`.
  /// - Thread: [control]
  public var parameterTree: ParameterTree { state.withLock { $0.parameterTree } }

  private let declaredPresets: [FactoryPreset]
  let backing: ParameterBacking
  let state: Mutex<State>

  struct State: Sendable {
    var parameterTree: ParameterTree
    var component: Component?
    var maximumFrames = 512
    /// The sample rate of a unit without busses.
    var sampleRate = AudioFormat.standard.sampleRate
    var currentPreset: Preset?
    var presetStore: (any PresetStoring)?
    var resources: RenderResources?
    var observers = ObserverList<PropertyObserver>()
  }

  /// Makes a unit without render resources.
  ///
  /// - Parameters:
  ///   - factoryPresets: The factory presets, in the order of their numbers from 0 on.
  ///   - eventCapacity: The least number of scheduled events that can wait for their frame.
  ///   - systemExclusiveCapacity: The number of bytes of SysEx that may wait.
  ///   - parameterReserve: The number of parameters, in addition to those of this tree, that later
  ///     trees may add.
  /// - Thread: [control]
  public init(
    componentDescription: ComponentDescription, inputBusses: BusArray = BusArray(.input),
    outputBusses: BusArray = BusArray(.output), parameterTree: ParameterTree,
    factoryPresets: [FactoryPreset] = [], eventCapacity: Int = 1024,
    systemExclusiveCapacity: Int = 65536, parameterReserve: Int = 0
  ) {
    declaredPresets = factoryPresets
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

  /// Sets the callbacks by which the unit keeps the values of a tree.
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
    // Free the kernel before the memory that it publishes to.
    state.withLock { $0.resources = nil }
  }

  // MARK: For unit developers

  /// Makes the kernel and its memory, from the busses' formats, `maximumFramesToRender` and
  /// `parameterValues`.
  ///
  /// Called once for each allocation, never while resources are allocated or rendering runs. Values
  /// set meanwhile reach the kernel as events. The returned resources are freed at deallocation.
  ///
  /// AUv3: the overrides of `allocateRenderResources`, `deallocateRenderResources` and
  /// `internalRenderBlock` in one.
  /// - Throws: `AudioUnitError.failed` with the reason.
  /// - Thread: [control]
  open func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    throw .failed("\(componentDescription) has no render side: override makeRenderResources")
  }

  /// Applies a new value of a parameter with the flag `nonRealTime`, which is not sent to the
  /// kernel.
  ///
  /// - Throws: `ParameterError.refused`; the parameter then keeps its value.
  /// - Thread: [control]
  open func setNonRealTimeParameter(
    _ parameter: Parameter, to value: Float
  ) throws(ParameterError) {}

  /// The memory of the parameters' values, for the kernel to start from and publish to.
  ///
  /// A parameter's index is `parameterTree.index(ofAddress:)`, or, in a unit that replaces its
  /// tree, `parameterValueIndex(ofAddress:)`. Valid as long as the unit, or its render resources,
  /// exist.
  ///
  /// - Thread: [any]
  public var parameterValues: ParameterValues { backing.values }

  /// Supported pairs of input and output channel counts. If nil, each bus decides separately,
  /// except that effects have as many output as input channels.
  ///
  /// AUv3: `channelCapabilities`.
  /// - Thread: [control]
  open var channelCapabilities: [ChannelCapability]? { nil }

  /// Latency in seconds from input to output; read after resources are allocated.
  ///
  /// It is rounded to whole frames, at most 1,048,576. A graph delays parallel paths to match the
  /// slowest one, MIDI together with the audio, also while the unit is bypassed. A unit whose
  /// latency changes calls `notify(.latency)`; a host that compensates it then compiles again.
  ///
  /// AUv3: `latency`.
  /// - Thread: [control]
  open var latency: Double { 0 }

  /// Seconds that the output continues after the input has ended, including the latency; infinity
  /// if it may never end.
  ///
  /// AUv3: `tailTime`.
  /// - Thread: [control]
  open var tailTime: Double { 0 }

  /// The names of the MIDI outputs, one for each cable; empty for units that send no MIDI.
  ///
  /// AUv3: `MIDIOutputNames`.
  /// - Thread: [control]
  open var midiOutputNames: [String] { [] }

  /// The number of MIDI input cables: 1 for the types that take MIDI, 0 for others.
  ///
  /// AUv3: `virtualMIDICableCount`.
  /// - Thread: [control]
  open var virtualMIDICableCount: Int {
    [.instrument, .musicEffect, .midiProcessor].contains(componentDescription.type) ? 1 : 0
  }

  // MARK: Presets and state, for unit developers

  /// The unit's factory presets, with numbers from 0 on. The default are those that `init` got.
  ///
  /// AUv3: `factoryPresets`.
  /// - Thread: [control]
  open var factoryPresets: [Preset] {
    declaredPresets.enumerated().map { Preset(number: $0, name: $1.name) }
  }

  /// Returns the values of a factory preset by key path. Omitted parameters keep their values.
  ///
  /// - Thread: [control]
  open func factoryPresetValues(of preset: Preset) -> [String: Float] {
    declaredPresets.indices.contains(preset.number) ? declaredPresets[preset.number].values : [:]
  }

  /// Applies one of `factoryPresets`. The default sets the values of `factoryPresetValues`.
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

  /// Returns the unit's settings other than parameters, such as files it uses. They are part of its
  /// state.
  ///
  /// - Parameter forDocument: Whether to include settings that only documents keep.
  /// - Thread: [control]
  open func settings(forDocument: Bool) -> StateDictionary { [:] }

  /// Checks settings before any part of a state is applied. The default accepts none.
  ///
  /// - Throws: `StateError`, with nothing changed.
  /// - Thread: [control]
  open func checkSettings(_ settings: StateDictionary) throws(StateError) {
    if let key = settings.keys.min() { throw .unknownEntry(key) }
  }

  /// Applies settings that `checkSettings` accepted. Missing settings get their defaults.
  ///
  /// - Throws: `StateError` for faults that only appear while applying, such as a missing file.
  /// - Thread: [control]
  open func applySettings(_ settings: StateDictionary) throws(StateError) {}
}
