// Making units.

extension ComponentRegistry {
  /// Makes a unit on a thread of the cooperative pool, so that a slow component blocks no caller.
  ///
  /// - Throws: `InstantiationError`.
  ///
  /// AUv3: `AUAudioUnit.instantiate(with:options:)`.
  /// - Thread: [control]
  @concurrent
  public func instantiate(
    _ description: ComponentDescription, options: InstantiationOptions = []
  ) async throws(InstantiationError) -> AudioUnit {
    try makeUnit(of: component(matching: description), options: options)
  }

  /// Makes a unit by short name or codes, on a thread of the cooperative pool.
  ///
  /// - Throws: `InstantiationError`.
  /// - Thread: [control]
  @concurrent
  public func instantiate(
    named text: String, options: InstantiationOptions = []
  ) async throws(InstantiationError) -> AudioUnit {
    try makeUnit(of: component(named: text), options: options)
  }

  /// Makes a unit on the caller's thread.
  ///
  /// - Throws: `InstantiationError`.
  ///
  /// AUv3: `AUAudioUnit(componentDescription:options:)`.
  /// - Thread: [control]
  public func makeUnit(
    of component: Component, options: InstantiationOptions = []
  ) throws(InstantiationError) -> AudioUnit {
    guard !options.isSuperset(of: [.loadInProcess, .loadOutOfProcess]) else {
      throw .contradictingOptions
    }
    guard !options.contains(.loadOutOfProcess) else {
      throw .outOfProcessUnavailable(component.shortName)
    }
    do {
      let unit = try component.factory(component.description, options)
      unit.setComponent(component)
      return unit
    } catch {
      throw .failed(component.shortName, reason: "\(error)")
    }
  }
}
