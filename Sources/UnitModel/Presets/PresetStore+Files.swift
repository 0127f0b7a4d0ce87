// Saving, reading, renaming and deleting user presets.

import Files
import FoundationEssentials
import Glibc
import PropertyLists

extension PresetStore {
  /// Saves a state under a preset's number and name, over an earlier preset of the same name.
  ///
  /// - Throws: `PresetError` if the name cannot be a file's, the number is not below 0 or belongs
  ///   to another preset, or the file cannot be written. The earlier preset is then unchanged.
  /// - Thread: [control]
  public func save(_ state: StateDictionary, as preset: Preset) throws(PresetError) {
    try changes.withLock { _ throws(PresetError) in
      guard preset.isUserPreset else { throw .notAUserPreset(preset) }
      let (listing, files) = try contents()
      if let other = listing.presets.first(where: {
        $0.number == preset.number && $0.name != preset.name
      }) {
        throw .numberTaken(preset.number, by: other.name)
      }
      try write(state, as: preset, file: files[preset.name])
    }
  }

  /// Returns the saved state of a preset, found by its name.
  ///
  /// - Throws: `PresetError` that names the file if it is damaged, or the existing presets.
  /// - Thread: [control]
  public func state(of preset: Preset) throws(PresetError) -> StateDictionary {
    try read(file: file(of: preset))
  }

  /// Deletes a preset, found by its name.
  ///
  /// - Throws: `PresetError` if the number is not below 0, no preset has this name, or its file
  ///   cannot be removed.
  /// - Thread: [control]
  public func delete(_ preset: Preset) throws(PresetError) {
    try changes.withLock { _ throws(PresetError) in
      let path = try path(file(of: preset))
      do throws(SystemError) { try FileAccess.remove(path) } catch {
        throw .notWritten(file: path, reason: "\(error)")
      }
    }
  }

  /// Renames a preset and returns the renamed one.
  ///
  /// - Throws: `PresetError`; `nameTaken` rather than writing over another preset.
  /// - Thread: [control]
  public func rename(_ preset: Preset, to name: String) throws(PresetError) -> Preset {
    try changes.withLock { _ throws(PresetError) in
      let old = try file(of: preset)
      let (listing, files) = try contents()
      let number = listing.presets.first { $0.name == preset.name }?.number ?? preset.number
      let renamed = Preset(number: number, name: name)
      guard name != preset.name else { return renamed }
      guard files[name] == nil else { throw .nameTaken(name) }
      // Write the new file first: a crash in between leaves two presets rather than none.
      try write(read(file: old), as: renamed, file: nil)
      do throws(SystemError) { try FileAccess.remove(path(old)) } catch {
        throw .notWritten(file: path(old), reason: "\(error)")
      }
      return renamed
    }
  }

  /// Returns the file of a preset, found by its decoded name: other programs may escape
  /// differently.
  private func file(of preset: Preset) throws(PresetError) -> String {
    guard preset.isUserPreset else { throw .notAUserPreset(preset) }
    for file in try names() where PresetFileName.presetName(file: file) == preset.name {
      return file
    }
    throw .unknownPreset(preset, known: try list().presets.map(\.name))
  }

  private func write(
    _ state: StateDictionary, as preset: Preset, file: String?
  ) throws(PresetError) {
    guard let file = file ?? PresetFileName.make(name: preset.name) else {
      throw .invalidName(preset.name)
    }
    var state = state
    state[StateKey.name] = .string(preset.name)
    state[StateKey.presetNumber] = .integer(preset.number)
    let path = path(file)
    let data = PropertyList.xml(state)
    guard data.count <= Self.maximumBytes else {
      throw .tooLarge(file: path, maximumBytes: Self.maximumBytes)
    }
    do throws(SystemError) { try FileAccess.write(data, to: path) } catch {
      throw .notWritten(file: path, reason: "\(error)")
    }
  }

  /// Reads a state of this component from a file of the folder.
  func read(file: String) throws(PresetError) -> StateDictionary {
    let path = path(file)
    let contents: Data?
    do throws(SystemError) {
      contents = try FileAccess.read(path, maximumBytes: Self.maximumBytes)
    } catch {
      throw .unreadable(file: path, reason: "\(error)")
    }
    guard let contents else { throw .tooLarge(file: path, maximumBytes: Self.maximumBytes) }
    let state: StateDictionary
    do throws(PropertyList.Fault) { state = try PropertyList.dictionary(xml: contents) } catch {
      throw .malformed(file: path, reason: "line \(error.line): \(error.reason)")
    }
    guard let codes = ComponentDescription(state: state) else {
      throw .malformed(file: path, reason: "type, subtype and manufacturer are missing")
    }
    guard codes.namesSameComponent(as: component) else {
      throw .foreign(file: path, codes: codes.codes, expected: component.codes)
    }
    return state
  }
}

extension ComponentDescription {
  /// Reads the codes of a state; nil if any of them is missing.
  init?(state: StateDictionary) {
    func code(_ key: String) -> FourCharacterCode? {
      guard case .integer(let number)? = state[key] else { return nil }
      if let code = UInt32(exactly: number) { return FourCharacterCode(rawValue: code) }
      // Some hosts write the codes as signed numbers.
      return Int32(exactly: number).map { FourCharacterCode(rawValue: UInt32(bitPattern: $0)) }
    }
    guard let type = code(StateKey.type), let subtype = code(StateKey.subtype),
      let manufacturer = code(StateKey.manufacturer)
    else { return nil }
    self.init(type: type, subtype: subtype, manufacturer: manufacturer)
  }
}
