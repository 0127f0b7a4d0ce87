// The SoundFont as part of the unit's state.

import Foundation
import UnitModel

/// Which SoundFont a unit plays, as its state has it.
struct SoundFontSetting {
  private static let soundFontKey = "soundFont"
  private static let bankKey = "bank"
  private static let programKey = "program"

  private(set) var soundFont: URL?
  private(set) var bank = 0
  private(set) var program = 0

  init(_ choice: SynthBay.Choice?) {
    soundFont = choice?.soundFont.url
    bank = choice?.bank ?? 0
    program = choice?.program ?? 0
  }

  /// - Throws: `StateError` for entries of another name, kind or range.
  init(_ settings: StateDictionary) throws(StateError) {
    for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
      switch (key, value) {
      case (Self.soundFontKey, .string(let path)) where path.hasPrefix("/"):
        soundFont = URL(fileURLWithPath: path)
      case (Self.soundFontKey, _):
        throw .invalidSetting(key, reason: "give the absolute path of a file")
      case (Self.bankKey, _): bank = try Self.number(key, value, 0...128)
      case (Self.programKey, _): program = try Self.number(key, value, 0...127)
      default: throw .unknownEntry(key)
      }
    }
  }

  var dictionary: StateDictionary {
    guard let soundFont else { return [:] }
    return [
      Self.soundFontKey: .string(soundFont.path), Self.bankKey: .integer(bank),
      Self.programKey: .integer(program),
    ]
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
    (soundFont?.path, bank, program) == (other.soundFont?.path, other.bank, other.program)
  }

  fileprivate func load(into bay: SynthBay) throws(SoundFontError) {
    if isSame(as: SoundFontSetting(bay.choice)) { return }
    guard let soundFont else { return try bay.unload().get() }
    try bay.loadWaiting(soundFont, bank: bank, program: program).get()
  }

  func apply(to bay: SynthBay) throws(StateError) {
    do throws(SoundFontError) { try load(into: bay) } catch {
      throw .invalidSetting(Self.soundFontKey, reason: error.description)
    }
  }
}

extension SamplerUnit {
  func apply(_ setting: SoundFontSetting) throws(StateError) {
    try setting.apply(to: bay)
    notify(.tailTime)
  }
}
