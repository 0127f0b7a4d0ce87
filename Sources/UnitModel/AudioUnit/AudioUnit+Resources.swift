// Allocating and deallocating render resources.

import UnitRender

extension AudioUnit {
  /// Whether render resources are allocated.
  ///
  /// AUv3: `renderResourcesAllocated`.
  /// - Thread: [control]
  public var renderResourcesAllocated: Bool {
    backing.gate.state.withLock { $0.phase == .allocated }
  }

  /// Whether resources were ever allocated, so that the busses have the formats a host chose.
  ///
  /// - Thread: [control]
  package var hasBeenAllocated: Bool { backing.gate.state.withLock { $0.wasAllocated } }

  /// Checks the busses' formats and makes the kernel. Does nothing if resources are allocated.
  ///
  /// - Throws: `AudioUnitError`; nothing is allocated then.
  ///
  /// AUv3: `allocateRenderResources()`.
  /// - Thread: [control]
  public func allocateRenderResources() throws(AudioUnitError) {
    guard try begin(from: .idle) else { return }
    do throws(AudioUnitError) {
      try checkFormats()
      let values = backing.snapshot
      let resources = try makeRenderResources()
      state.withLock { $0.resources = resources }
      backing.gate.state.withLock {
        backing.resend(changedSince: values, tree: parameterTree)
        $0.phase = .allocated
        $0.wasAllocated = true
      }
    } catch {
      backing.gate.state.withLock { $0.phase = .idle }
      throw error
    }
    notify(.renderResourcesAllocated)
  }

  /// Frees the kernel and drops pending events. Does nothing without resources.
  ///
  /// Parameters keep their current values.
  ///
  /// - Throws: `stillHosted` while a host renders the unit.
  ///
  /// AUv3: `deallocateRenderResources()`.
  /// - Thread: [control]
  public func deallocateRenderResources() throws(AudioUnitError) {
    guard try begin(from: .allocated) else { return }
    let resources = state.withLock { $0.resources.take() }
    backing.inlet.discardAll()
    withExtendedLifetime(resources) {}
    backing.gate.state.withLock { $0.phase = .idle }
    notify(.renderResourcesAllocated)
  }

  /// Asks the kernel to clear its state, at the start of the next cycle.
  ///
  /// AUv3: `reset()`.
  /// - Thread: [control]
  public func reset() { backing.switches.requestReset() }

  /// Starts a change; returns false if there is nothing to change.
  private func begin(from phase: LifecycleGate.Phase) throws(AudioUnitError) -> Bool {
    try backing.gate.state.withLock { (state) throws(AudioUnitError) in
      guard state.phase != .changing else { throw .busy }
      guard state.phase == phase else { return false }
      guard state.hosts == 0 else { throw .stillHosted }
      state.phase = .changing
      return true
    }
  }

  private func checkFormats() throws(AudioUnitError) {
    let inputs = inputBusses.filter(\.isEnabled).map(\.format)
    let outputs = outputBusses.filter(\.isEnabled).map(\.format)
    let rates = Set((inputs + outputs).map(\.sampleRate))
    guard rates.count <= 1 else { throw .sampleRatesDiffer(rates.sorted()) }
    let given = inputs.map(\.channelCount)
    let made = outputs.map(\.channelCount)
    guard let capabilities = effectiveCapabilities else { return }
    guard capabilities.contains(where: { $0.allows(inputs: given, outputs: made) }) else {
      throw .channelsUnsupported(
        inputs: given, outputs: made, supported: capabilities.map(\.description))
    }
  }

  /// The channel counts the unit supports; nil if any will do.
  package var effectiveCapabilities: [ChannelCapability]? {
    if let channelCapabilities { return channelCapabilities }
    let isEffect = [.effect, .musicEffect].contains(componentDescription.type)
    return isEffect ? [.matching] : nil
  }
}
