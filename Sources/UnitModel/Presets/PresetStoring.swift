// Places that keep user presets.

/// A store of the user presets of one unit: a folder (`PresetStore`) or a program's own.
///
/// A user preset is found by its name. Its number is below 0, and unique in the store. A call that
/// throws leaves the stored presets unchanged. An own store throws `PresetError.storeFailed` for
/// faults that no other case names.
///
/// AUv3: `userPresets`, `saveUserPreset(_:)`, `deleteUserPreset(_:)` and `presetState(for:)`, which
/// a unit overrides.
public protocol PresetStoring: Sendable {
  /// Returns the presets, and the faults of entries that cannot be read.
  ///
  /// - Throws: `PresetError` if the store cannot be read.
  /// - Thread: [control]
  func list() throws(PresetError) -> PresetListing

  /// Saves a state under a preset's number and name, over an earlier preset of the same name.
  ///
  /// - Throws: `PresetError`; the earlier preset is then unchanged.
  /// - Thread: [control]
  func save(_ state: StateDictionary, as preset: Preset) throws(PresetError)

  /// Returns the saved state of a preset.
  ///
  /// - Throws: `PresetError`, also for a preset that does not exist.
  /// - Thread: [control]
  func state(of preset: Preset) throws(PresetError) -> StateDictionary

  /// Deletes a preset.
  ///
  /// - Throws: `PresetError`, also for a preset that does not exist.
  /// - Thread: [control]
  func delete(_ preset: Preset) throws(PresetError)

  /// Renames a preset and returns the renamed one, which keeps its number.
  ///
  /// - Throws: `PresetError`; `nameTaken` rather than writing over another preset.
  /// - Thread: [control]
  func rename(_ preset: Preset, to name: String) throws(PresetError) -> Preset
}

/// The user presets of a store, and the faults of entries that cannot be read.
public struct PresetListing: Sendable {
  /// The presets; a folder has them in order of their names.
  public var presets: [Preset]
  /// The faults of other entries.
  public var problems: [PresetError]

  /// Makes a listing.
  ///
  /// - Thread: [any]
  public init(presets: [Preset] = [], problems: [PresetError] = []) {
    self.presets = presets
    self.problems = problems
  }

  /// The highest number below 0 that no preset has.
  var freeNumber: Int {
    let taken = Set(presets.map(\.number))
    var number = -1
    while taken.contains(number) { number -= 1 }
    return number
  }
}
