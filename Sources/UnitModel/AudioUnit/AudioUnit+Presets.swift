// Choosing, saving and managing presets.

import FoundationEssentials

extension AudioUnit {
  /// Stores user presets below `root`, unless the unit already has a preset store.
  package func keepPresets(in root: URL) {
    let store = PresetStore(component: componentDescription, root: root)
    state.withLock { if $0.presetStore == nil { $0.presetStore = store } }
  }

  /// The store of the user's presets; in the user's data folder unless set. A program can set its
  /// own.
  ///
  /// - Thread: [control]
  public var presetStore: any PresetStoring {
    get {
      state.withLock {
        if let store = $0.presetStore { return store }
        let store = PresetStore(component: componentDescription)
        $0.presetStore = store
        return store
      }
    }
    set { state.withLock { $0.presetStore = newValue } }
  }

  /// The preset chosen last; nil for none. Changing a parameter does not change it.
  ///
  /// AUv3: `currentPreset`.
  /// - Thread: [control]
  public var currentPreset: Preset? { state.withLock { $0.currentPreset } }

  /// Applies a preset and makes it current. If nil, no preset is current and nothing else changes.
  ///
  /// - Throws: `PresetError`; the current preset then stays.
  ///
  /// AUv3: `currentPreset`.
  /// - Thread: [control]
  public func setCurrentPreset(_ preset: Preset?) throws(PresetError) {
    guard let preset else { return makeCurrent(nil) }
    if preset.isUserPreset {
      let state = try presetState(for: preset)
      do throws(StateError) { try setFullState(state) } catch { throw .refused(preset, error) }
      makeCurrent(preset)
    } else {
      try applyFactoryPreset(number: preset.number, name: preset.name)
    }
  }

  private func applyFactoryPreset(number: Int, name: String) throws(PresetError) {
    guard let preset = factoryPresets.first(where: { $0.number == number }) else {
      throw .unknownPreset(
        Preset(number: number, name: name), known: factoryPresets.map(\.name))
    }
    do throws(StateError) { try apply(factoryPreset: preset) } catch {
      throw .refused(preset, error)
    }
    makeCurrent(preset)
    notify(.allParameterValues)
  }

  func applyValues(of preset: Preset) throws(StateError) {
    let values = factoryPresetValues(of: preset)
    let known = parameterTree.allParameters.map(\.keyPath)
    for keyPath in values.keys.sorted() where parameterTree.parameter(keyPath: keyPath) == nil {
      throw .unknownParameter(keyPath, known: known)
    }
    for parameter in parameterTree.allParameters {
      if let value = values[parameter.keyPath] { try set(parameter, to: value) }
    }
  }

  /// Makes a preset current that the unit has already applied, such as for a program change. For
  /// unit developers.
  ///
  /// - Thread: [control]
  public func presetDidChange(to preset: Preset) {
    makeCurrent(preset)
    notify(.allParameterValues)
  }

  private func makeCurrent(_ preset: Preset?) {
    state.withLock { $0.currentPreset = preset }
    notify(.currentPreset)
  }

  /// The user's presets in order of their names, without files that are not presets.
  ///
  /// `presetStore.list()` also reports the faults of those files.
  ///
  /// - Throws: `PresetError.unreadable` if the folder exists and cannot be read.
  ///
  /// AUv3: `userPresets`.
  /// - Thread: [control]
  public var userPresets: [Preset] {
    get throws(PresetError) { supportsUserPresets ? try presetStore.list().presets : [] }
  }

  /// Saves the unit's state as a user preset, over an earlier one of the same name, and makes it
  /// current.
  ///
  /// - Throws: `PresetError`.
  ///
  /// AUv3: `saveUserPreset(_:)`.
  /// - Thread: [control]
  public func saveUserPreset(_ preset: Preset) throws(PresetError) {
    try userPresetStore.save(fullState, as: preset)
    notify(.userPresets)
    makeCurrent(preset)
  }

  /// Saves the unit's state under a name, with the number of an existing preset or else a free one.
  ///
  /// - Throws: `PresetError`.
  /// - Thread: [control]
  public func saveUserPreset(named name: String) throws(PresetError) -> Preset {
    let store = try userPresetStore
    let listing = try store.list()
    let number = listing.presets.first { $0.name == name }?.number
    let preset = Preset(number: number ?? listing.freeNumber, name: name)
    try saveUserPreset(preset)
    return preset
  }

  /// Deletes a user preset. If it was current, no preset is current afterwards.
  ///
  /// - Throws: `PresetError`, also for a preset that does not exist.
  ///
  /// AUv3: `deleteUserPreset(_:)`.
  /// - Thread: [control]
  public func deleteUserPreset(_ preset: Preset) throws(PresetError) {
    try userPresetStore.delete(preset)
    notify(.userPresets)
    if isCurrent(preset) { makeCurrent(nil) }
  }

  /// Renames a user preset and returns the renamed one; a current preset stays current.
  ///
  /// - Throws: `PresetError.nameTaken` rather than writing over another preset.
  /// - Thread: [control]
  public func renameUserPreset(_ preset: Preset, to name: String) throws(PresetError) -> Preset {
    let renamed = try userPresetStore.rename(preset, to: name)
    notify(.userPresets)
    if isCurrent(preset) { makeCurrent(renamed) }
    return renamed
  }

  /// Returns the saved state of a user preset.
  ///
  /// - Throws: `PresetError` if the preset does not exist or its file is damaged.
  ///
  /// AUv3: `presetState(for:)`.
  /// - Thread: [control]
  public func presetState(for preset: Preset) throws(PresetError) -> StateDictionary {
    try userPresetStore.state(of: preset)
  }

  private var userPresetStore: any PresetStoring {
    get throws(PresetError) {
      guard supportsUserPresets else { throw .userPresetsUnsupported }
      return presetStore
    }
  }

  private func isCurrent(_ preset: Preset) -> Bool {
    currentPreset.map { $0.isUserPreset && $0.name == preset.name } ?? false
  }
}
