// An instrument of a SoundFont, as MIDI selects it.

public import Foundation

/// A preset of a SoundFont.
public struct SoundFontPreset: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// 0 to 127, or 128 for percussion.
  public let bank: Int
  /// 0 to 127.
  public let program: Int
  /// As it can be shown: control characters are replaced.
  public let name: String

  /// - Thread: [any]
  public init(bank: Int, program: Int, name: String) {
    self.bank = bank
    self.program = program
    self.name = name
  }

  /// In order of bank and program.
  /// - Thread: [any]
  public static func < (left: Self, right: Self) -> Bool {
    (left.bank, left.program) < (right.bank, right.program)
  }

  /// `bank:program name`.
  /// - Thread: [any]
  public var description: String { "\(bank):\(program) \(name)" }
}

/// What a SoundFont holds, without playing it.
public enum SoundFontInspector {
  /// The presets of a file, in order of bank and program.
  ///
  /// - Throws: `SoundFontError`.
  /// - Thread: [control]. - Complexity: reads the whole file.
  public static func presets(
    of url: URL
  ) throws(SoundFontError) -> [SoundFontPreset] {
    try inspect(url).presets
  }

  /// The presets of a file, and what playing it leaves out or holds to a range.
  ///
  /// - Throws: `SoundFontError`.
  /// - Thread: [control]. - Complexity: reads the whole file.
  public static func inspect(
    _ url: URL
  ) throws(SoundFontError) -> (presets: [SoundFontPreset], warnings: [String]) {
    let font = try LoadedSoundFont(url)
    return (font.presets, font.warnings)
  }
}
