// The SoundFonts as part of the unit's state.

import FoundationEssentials
import PropertyLists
import SoundFontFiles
import UnitModel

/// The SoundFonts of a unit, as in its state.
struct SoundFontSetting {
  private static let soundFontKey = "soundFont"
  private static let stackKey = "soundFonts"
  private static let fileKey = "file"
  private static let offsetKey = "bankOffset"
  private static let bankKey = "bank"
  private static let programKey = "program"
  static let entryKey = "entry"

  private(set) var soundFonts: [SoundFontEntry] = []
  private(set) var bank = 0
  private(set) var program = 0
  /// Number of the live set's entry with this sound; nil for none.
  private(set) var entry: Int?

  init(_ choice: SynthPools.LoadedSound?, entry: Int?) {
    self.entry = entry
    soundFonts = choice?.stack.entries ?? []
    bank = choice?.bank ?? 0
    program = choice?.program ?? 0
  }

  init(_ entry: LiveSetEntry) {
    soundFonts = entry.soundFonts
    bank = entry.bank
    program = entry.program
    self.entry = entry.number
  }

  /// - Throws: `StateError` for unknown keys, and values of the wrong kind or range.
  init(_ settings: StateDictionary) throws(StateError) {
    for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
      switch (key, value) {
      case (Self.soundFontKey, _): soundFonts = [SoundFontEntry(try Self.file(key, value))]
      case (Self.stackKey, .array(let values)) where settings[Self.soundFontKey] == nil:
        for value in values { soundFonts.append(try Self.entry(value)) }
      case (Self.stackKey, _):
        throw .invalidSetting(
          key, reason: "give a list of files, and no \"\(Self.soundFontKey)\" beside it")
      case (Self.bankKey, _): bank = try Self.number(key, value, 0...255)
      case (Self.entryKey, _): entry = try Self.number(key, value, LiveSet.numbers)
      case (Self.programKey, _): program = try Self.number(key, value, 0...127)
      default: throw .unknownEntry(key)
      }
    }
  }

  /// One file without an offset is written as before stacks existed.
  var dictionary: StateDictionary {
    guard let first = soundFonts.first else { return [:] }
    let isPlain = soundFonts == [SoundFontEntry(first.url)]
    var dictionary: StateDictionary = [
      Self.bankKey: .integer(bank), Self.programKey: .integer(program),
      isPlain ? Self.soundFontKey : Self.stackKey: isPlain
        ? .string(first.url.path)
        : .array(
          soundFonts.map {
            [Self.fileKey: .string($0.url.path), Self.offsetKey: .integer($0.bankOffset)]
          }),
    ]
    if let entry { dictionary[Self.entryKey] = .integer(entry) }
    return dictionary
  }

  private static func file(
    _ key: String, _ value: PropertyListValue
  ) throws(StateError) -> URL {
    guard case .string(let path) = value, path.hasPrefix("/") else {
      throw .invalidSetting(key, reason: "give the absolute path of a file")
    }
    return URL(fileURLWithPath: path)
  }

  private static func entry(_ value: PropertyListValue) throws(StateError) -> SoundFontEntry {
    guard case .dictionary(let dictionary) = value, let path = dictionary[fileKey],
      dictionary.keys.allSatisfy({ [fileKey, offsetKey].contains($0) })
    else {
      throw .invalidSetting(stackKey, reason: "each has a \"\(fileKey)\" and \"\(offsetKey)\"")
    }
    let offset = dictionary[offsetKey] ?? .integer(0)
    return SoundFontEntry(
      try file(fileKey, path),
      bankOffset: try number(offsetKey, offset, SoundFontEntry.bankOffsets))
  }

  private static func number(
    _ key: String, _ value: PropertyListValue, _ range: ClosedRange<Int>
  ) throws(StateError) -> Int {
    guard case .integer(let number) = value, range.contains(number) else {
      throw .invalidSetting(
        key, reason: "give a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  fileprivate func isSame(as other: SoundFontSetting) -> Bool {
    let files = { (setting: SoundFontSetting) in
      setting.soundFonts.map { [$0.url.path, "\($0.bankOffset)"] }
    }
    return files(self) == files(other)
      && (bank, program, entry) == (other.bank, other.program, other.entry)
  }

  fileprivate func load(into bay: SynthPools) throws(SoundFontError) {
    if soundFonts.isEmpty { return try bay.unload().get() }
    try bay.loadWaiting(SynthPools.Request(soundFonts, bank: bank, program: program)).get()
  }

  fileprivate func refusal(_ error: any CustomStringConvertible) -> StateError {
    .invalidSetting(
      soundFonts.count > 1 ? Self.stackKey : Self.soundFontKey, reason: error.description)
  }
}

extension SamplerUnit {
  /// Selects the live set entry of the setting if it is unchanged; otherwise loads the SoundFonts.
  func apply(_ setting: SoundFontSetting) throws(StateError) {
    if setting.isSame(as: SoundFontSetting(bay.choice, entry: currentEntry?.number)) { return }
    let entry = liveSet?.entries.first { $0.number == setting.entry }
    if let entry, setting.isSame(as: SoundFontSetting(entry)) {
      do throws(LiveSetError) { try select(entry: entry.number) } catch {
        throw setting.refusal(error)
      }
    } else {
      do throws(SoundFontError) { try setting.load(into: bay) } catch {
        throw setting.refusal(error)
      }
      soundWasLoaded()
    }
    soundDidChange()
  }
}
