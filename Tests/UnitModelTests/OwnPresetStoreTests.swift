// User presets in a program's own store.

import Synchronization
import Testing
import UnitModel

/// Presets in memory; fails on request.
private final class MemoryStore: PresetStoring {
  struct Contents {
    var presets: [Preset] = []
    var states: [String: StateDictionary] = [:]
    var fault: PresetError?
  }

  let contents = Mutex(Contents())

  private func withContents<Result>(
    _ body: (inout Contents) throws(PresetError) -> sending Result
  ) throws(PresetError) -> sending Result {
    try contents.withLock { (contents) throws(PresetError) in
      if let fault = contents.fault { throw fault }
      return try body(&contents)
    }
  }

  func list() throws(PresetError) -> PresetListing {
    try withContents { PresetListing(presets: $0.presets) }
  }

  func save(_ state: StateDictionary, as preset: Preset) throws(PresetError) {
    try withContents { (contents) throws(PresetError) in
      if contents.states.updateValue(state, forKey: preset.name) == nil {
        contents.presets.append(preset)
      }
    }
  }

  func state(of preset: Preset) throws(PresetError) -> StateDictionary {
    try withContents { (contents) throws(PresetError) in
      guard let state = contents.states[preset.name] else {
        throw .unknownPreset(preset, known: contents.presets.map(\.name))
      }
      return state
    }
  }

  func delete(_ preset: Preset) throws(PresetError) {
    try withContents { (contents) throws(PresetError) in
      guard contents.states.removeValue(forKey: preset.name) != nil else {
        throw .unknownPreset(preset, known: contents.presets.map(\.name))
      }
      contents.presets.removeAll { $0.name == preset.name }
    }
  }

  func rename(_ preset: Preset, to name: String) throws(PresetError) -> Preset {
    let renamed = Preset(number: preset.number, name: name)
    let state = try state(of: preset)
    try delete(preset)
    try save(state, as: renamed)
    return renamed
  }
}

@Suite struct OwnPresetStoreTests {
  private let store = MemoryStore()
  private let unit: GainUnit

  init() throws {
    unit = try GainUnit()
    unit.presetStore = store
  }

  @Test func presetsAreSavedChosenRenamedAndDeletedInAProgramsOwnStore() throws {
    unit.gain.value = 0.25
    let first = try unit.saveUserPreset(named: "First")
    unit.gain.value = 3
    let second = try unit.saveUserPreset(named: "Second")
    #expect(try unit.userPresets == [first, second])
    #expect((first.number, second.number) == (-1, -2))
    #expect(store.contents.withLock { Set($0.states.keys) } == ["First", "Second"])

    try unit.setCurrentPreset(first)
    #expect(unit.gain.value == 0.25)
    let renamed = try unit.renameUserPreset(first, to: "Zero")
    #expect(unit.currentPreset == renamed)
    #expect(try unit.presetState(for: renamed) == store.state(of: renamed))
    try unit.deleteUserPreset(renamed)
    #expect(unit.currentPreset == nil)
    #expect(try unit.userPresets == [second])
  }

  @Test func aStoreThatFailsIsReportedAndDisturbsNothing() throws {
    unit.gain.value = 0.25
    let kept = try unit.saveUserPreset(named: "Kept")
    unit.gain.value = 2
    let fault = PresetError.storeFailed(reason: "the database is locked")
    #expect(fault.description == "the store of user presets failed: the database is locked")
    store.contents.withLock { $0.fault = fault }

    #expect(throws: fault) { try unit.userPresets }
    #expect(throws: fault) { try unit.saveUserPreset(named: "Other") }
    #expect(throws: fault) { try unit.saveUserPreset(Preset(number: -7, name: "Other")) }
    #expect(throws: fault) { try unit.setCurrentPreset(kept) }
    #expect(throws: fault) { try unit.deleteUserPreset(kept) }
    #expect(throws: fault) { try unit.renameUserPreset(kept, to: "Other") }
    #expect(throws: fault) { try unit.presetState(for: kept) }
    #expect(unit.gain.value == 2)
    #expect(unit.currentPreset == kept)

    store.contents.withLock { $0.fault = nil }
    #expect(try unit.userPresets == [kept])
  }
}
