// Presets, SoundFonts and entries of a running session.

import Configuration
import FoundationEssentials
import SessionModel
import UnitModel

extension SessionControl {
  /// Returns work for other threads than the session's. Its errors become the answer.
  func later(
    _ text: String, _ claims: Claims,
    _ work: @escaping @Sendable () async throws -> SessionAnswer
  ) -> Outcome {
    .later(
      Late(text: text, claims: claims) {
        do { return .success(try await work()) } catch {
          return .failure(SessionCommandError(error))
        }
      })
  }

  /// Returns work on a unit's sound. The session must still have the unit when the work begins.
  func later(
    _ text: String, soundOf unit: AudioUnit, _ id: String,
    _ work: @escaping @Sendable (SoundChange) async throws -> SessionAnswer
  ) -> Outcome {
    let change = SoundChange(unit: unit, id: id, maker: maker)
    return later("\(id): \(text)", .sound(of: id)) {
      try change.check()
      return try await work(change)
    }
  }

  // MARK: Presets

  /// Lists, loads, saves or deletes presets. Reads and writes files, SoundFonts too if a preset has
  /// any.
  func preset(
    _ action: SessionCommand.PresetAction, of id: String
  ) throws(SessionCommandError) -> Outcome {
    let unit = try unit(id)
    let history = history
    return later(action.text, soundOf: unit, id) { change in
      switch action {
      case .list:
        let current = unit.chosenPreset
        return .presets(
          try unit.allPresets.map {
            PresetReading(
              name: $0.name, number: $0.number, isCurrent: $0 == current,
              sound: (unit as? any SoundFontHolding)?.sound(of: $0))
          })
      case .load(let name):
        let preset = try Self.preset(name, among: unit.allPresets, of: id)
        try await change.make("preset \(quoted(preset.name))", entry: preset.entry(of: unit)) {
          try unit.setCurrentPreset(preset)
        }
      case .save(let name):
        if !unit.hasSoundsAsPresets, unit.factoryPresets.contains(where: { $0.name == name }) {
          throw SessionCommandError(
            "\(quoted(name)) is a preset of the unit itself", accepted: "another name")
        }
        _ = try unit.saveUserPreset(named: name)
        try await change.maker.commit {
          history.recordFixed("\(id): preset \(quoted(name)) saved", path: id)
        }
      case .delete(let name):
        try unit.deleteUserPreset(Self.preset(name, among: unit.userPresets, of: id))
        try await change.maker.commit {
          history.recordFixed("\(id): preset \(quoted(name)) deleted", path: id)
        }
      }
      return .done
    }
  }

  static func preset(
    _ name: String, among presets: [Preset], of id: String
  ) throws(SessionCommandError) -> Preset {
    guard let preset = presets.named(name, by: \.name) else {
      throw .unknown("preset", name, in: "unit '\(id)'", accepted: presets.map(\.name))
    }
    return preset
  }

  // MARK: SoundFonts and entries

  /// Returns the unit, if it has an ability of samplers.
  private func sampler<Ability>(
    _ id: String, _ ability: (AudioUnit) -> Ability?
  ) throws(SessionCommandError) -> Ability {
    guard let found = ability(try unit(id)) else {
      throw SessionCommandError(
        "'\(id)' is no sampler", accepted: units.filter { ability($0.unit) != nil }.map(\.id))
    }
    return found
  }

  func load(
    _ file: String, bank: Int?, program: Int?, into id: String
  ) throws(SessionCommandError) -> Outcome {
    let sampler = try sampler(id) { $0 as? any SoundFontHolding }
    for (name, number, range) in [
      ("bank", bank, SoundSelection.banks), ("program", program, SoundSelection.programs),
    ] {
      guard range.contains(number ?? 0) else {
        throw SessionCommandError(
          "\(name) \(number ?? 0)", accepted: "\(range.lowerBound) to \(range.upperBound)")
      }
    }
    let url: URL
    do { url = try type(of: sampler).soundFontFile(named: file) } catch {
      throw SessionCommandError("\(error)")
    }
    let what = "SoundFont \(quoted(url.lastPathComponent))"
    return later(what, soundOf: sampler, id) { change in
      try await change.make(what) {
        try await sampler.loadSoundFont(url, bank: bank ?? 0, program: program ?? 0)
      }
      return .done
    }
  }

  /// Returns the sampler with an entry, and the entry's number.
  func entry(
    _ entry: SessionCommand.EntryName, of id: String
  ) throws(SessionCommandError) -> (sampler: any EntrySelecting, number: Int) {
    let sampler = try sampler(id) { $0 as? any EntrySelecting }
    let entries: [any SelectableEntry] = sampler.entries
    guard !entries.isEmpty else {
      throw SessionCommandError(
        "'\(id)' has no live set",
        accepted: units.filter { ($0.unit as? any EntrySelecting)?.entries.isEmpty == false }
          .map(\.id))
    }
    switch entry {
    case .number(let wanted):
      guard entries.contains(where: { $0.number == wanted }) else {
        throw SessionCommandError(
          "no entry \(wanted) in unit '\(id)'", accepted: entries.map { "\($0.number)" })
      }
      return (sampler, wanted)
    case .name(let name):
      guard let found = entries.named(name, by: { $0.name }) else {
        throw .unknown("entry", name, in: "unit '\(id)'", accepted: entries.map(\.name))
      }
      return (sampler, found.number)
    }
  }

  func select(
    _ entry: SessionCommand.EntryName, of id: String, frame: Int64?
  ) throws(SessionCommandError) -> Outcome {
    let (sampler, number) = try self.entry(entry, of: id)
    if let frame {
      if sampleRate == nil { throw Self.noFrames }
      try check(frame: frame)
    }
    // While nothing renders, the call reads the entry's SoundFonts before it returns.
    let frameToCome = isToCome(frame) ? frame : nil
    return later("entry \(number)", soundOf: sampler, id) { change in
      try await change.make("entry \(number)", entry: number, on: frameToCome) {
        try sampler.selectEntry(number, at: frame.map { .frame($0) } ?? .immediate)
      }
      return .done
    }
  }
}

extension SessionCommand.PresetAction {
  /// Description of the action.
  fileprivate var text: String {
    switch self {
    case .list: "presets listed"
    case .load(let name): "preset \(quoted(name))"
    case .save(let name): "preset \(quoted(name)) saved"
    case .delete(let name): "preset \(quoted(name)) deleted"
    }
  }
}
