// A unit's names, switches and limits.

import UnitRender

extension AudioUnit {
  /// The allowed values of `maximumFramesToRender`.
  public static let maximumFramesRange = 1...1_048_576

  /// `Manufacturer: Name`, or the codes of a unit that is not registered.
  ///
  /// AUv3: `componentName`.
  /// - Thread: [control]
  public var componentName: String {
    component.map { "\($0.manufacturerName): \($0.name)" } ?? componentDescription.codes
  }

  /// The component from which a registry made this unit; nil if none did.
  ///
  /// AUv3: `component`.
  /// - Thread: [control]
  public var component: Component? { state.withLock { $0.component } }

  func setComponent(_ component: Component) { state.withLock { $0.component = component } }

  /// The most frames of one render call; 512 by default.
  ///
  /// AUv3: `maximumFramesToRender`.
  /// - Thread: [control]
  public var maximumFramesToRender: Int { state.withLock { $0.maximumFrames } }

  /// Sets the most frames of one render call.
  ///
  /// - Throws: `AudioUnitError` out of range, or while render resources are allocated.
  /// - Thread: [control]
  public func setMaximumFramesToRender(_ frames: Int) throws(AudioUnitError) {
    guard Self.maximumFramesRange.contains(frames) else { throw .maximumFramesOutOfRange(frames) }
    let isSet = backing.gate.whileIdle { state.withLock { $0.maximumFrames = frames } }
    guard isSet else { throw .renderResourcesAllocated }
  }

  /// The sample rate in hertz: the first bus's, or, for a unit without busses, the value set.
  ///
  /// - Thread: [control]
  public var sampleRate: Double {
    let busses = outputBusses.busses + inputBusses.busses
    return busses.first?.format.sampleRate ?? state.withLock { $0.sampleRate }
  }

  /// Sets the sample rate of a unit without busses, 48 kHz by default. A unit with busses uses the
  /// rate of their formats.
  ///
  /// - Parameter hertz: one of `AudioFormat.sampleRates`.
  /// - Throws: `AudioUnitError` out of range, or while render resources are allocated.
  /// - Thread: [control]
  public func setSampleRate(_ hertz: Double) throws(AudioUnitError) {
    guard AudioFormat.sampleRates.contains(hertz) else { throw .sampleRateOutOfRange(hertz) }
    let isSet = backing.gate.whileIdle { state.withLock { $0.sampleRate = hertz } }
    guard isSet else { throw .renderResourcesAllocated }
  }

  /// Whether input passes to the output unchanged.
  ///
  /// AUv3: `shouldBypassEffect`.
  /// - Thread: [control]
  public var shouldBypassEffect: Bool {
    get { backing.switches.isBypassed }
    set {
      backing.switches.isBypassed = newValue
      notify(.shouldBypassEffect)
    }
  }

  /// Whether the unit is reset when the host's transport starts or jumps, so that earlier tails are
  /// not heard. False by default.
  ///
  /// AUv3: none; its hosts call `reset` there.
  /// - Thread: [any]
  public var resetsWithTransport: Bool {
    get { backing.switches.resetsWithTransport }
    set { backing.switches.resetsWithTransport = newValue }
  }

  /// Sets `shouldBypassEffect` to the value of a scheduled bypass that has taken effect.
  ///
  /// - Thread: [control]
  public func settleBypass(_ isOn: Bool) {
    backing.switches.settleBypass(isOn)
    notify(.shouldBypassEffect)
  }

  /// Whether the unit renders to a file, faster or slower than real time.
  ///
  /// AUv3: `isRenderingOffline`.
  /// - Thread: [control]
  public var isRenderingOffline: Bool {
    get { backing.switches.isOffline }
    set { backing.switches.isOffline = newValue }
  }

  /// Every parameter's value by key path.
  ///
  /// AUv3: `allParameterValues`; observers are notified of `.allParameterValues` when a preset or a
  /// state is loaded.
  /// - Thread: [control]
  public var allParameterValues: [String: Float] { parameterTree.allValues }

  /// Switches of the render side, and its counts, such as late events.
  ///
  /// - Thread: [any]
  public var switches: UnitSwitches { backing.switches }
}
