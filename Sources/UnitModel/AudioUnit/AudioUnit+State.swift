// Saving a unit's state and restoring it.

extension AudioUnit {
  /// The state that determines the unit's sound: its writable parameters, except those omitted from
  /// presets, and its settings.
  ///
  /// AUv3: `fullState`.
  /// - Thread: [control]
  public var fullState: StateDictionary { makeState(forDocument: false) }

  /// `fullState` plus the parts that only documents keep: all writable parameters, the bypass and
  /// the current preset.
  ///
  /// AUv3: `fullStateForDocument`.
  /// - Thread: [control]
  public var fullStateForDocument: StateDictionary { makeState(forDocument: true) }

  /// Restores a `fullState`. Parameters that it lacks get their defaults.
  ///
  /// The whole state is checked before any of it is applied.
  ///
  /// - Throws: `StateError`.
  /// - Thread: [control]
  public func setFullState(_ state: StateDictionary) throws(StateError) {
    try restore(state, forDocument: false)
  }

  /// Restores a `fullStateForDocument`.
  ///
  /// - Throws: `StateError`.
  /// - Thread: [control]
  public func setFullStateForDocument(_ state: StateDictionary) throws(StateError) {
    try restore(state, forDocument: true)
  }

  private func makeState(forDocument: Bool) -> StateDictionary {
    let values = savedParameters(of: parameterTree, forDocument: forDocument).map { ($0, $0.value) }
    let preset = currentPreset
    var state: StateDictionary = [
      StateKey.type: .integer(Int(componentDescription.type.rawValue)),
      StateKey.subtype: .integer(Int(componentDescription.subtype.rawValue)),
      StateKey.manufacturer: .integer(Int(componentDescription.manufacturer.rawValue)),
      StateKey.version: .integer(Int(component?.version ?? 0)),
      StateKey.name: .string(preset?.name ?? "Untitled"),
      StateKey.data: .data(ParameterData.encode(values.map { ($0.address, $1) })),
      StateKey.parameters: .dictionary(
        Dictionary(uniqueKeysWithValues: values.map { ($0.keyPath, .real(Double($1))) })),
    ]
    let settings = settings(forDocument: forDocument)
    if !settings.isEmpty { state[StateKey.settings] = .dictionary(settings) }
    if forDocument {
      state[StateKey.bypass] = .boolean(shouldBypassEffect)
      if let preset { state[StateKey.presetNumber] = .integer(preset.number) }
    }
    return state
  }

  private func savedParameters(of tree: ParameterTree, forDocument: Bool) -> [Parameter] {
    tree.allParameters.filter {
      $0.flags.contains(.writable) && (forDocument || !$0.flags.contains(.omitFromPresets))
    }
  }

  private func restore(
    _ state: StateDictionary, forDocument: Bool
  ) throws(StateError) {
    // One tree for the whole call: another thread may replace `parameterTree`.
    let tree = parameterTree
    let checked = try StateCheck(state, tree: tree, component: componentDescription)
    try checkSettings(checked.settings)

    try applySettings(checked.settings)
    for parameter in savedParameters(of: tree, forDocument: forDocument)
    where checked.values[parameter.address] == nil {
      try set(parameter, to: parameter.defaultValue)
    }
    for parameter in tree.allParameters {
      if let value = checked.values[parameter.address] { try set(parameter, to: value) }
    }
    if forDocument {
      shouldBypassEffect = checked.isBypassed
      self.state.withLock { $0.currentPreset = checked.preset }
      notify(.currentPreset)
    }
    notify(.allParameterValues)
  }

  func set(_ parameter: Parameter, to value: Float) throws(StateError) {
    do throws(ParameterError) { try parameter.setValue(value) } catch { throw .parameter(error) }
  }
}
