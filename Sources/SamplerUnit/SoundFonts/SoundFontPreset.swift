// A preset of a SoundFont, as MIDI selects it.

public import FoundationEssentials

/// A preset of a SoundFont.
public struct SoundFontPreset: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Bank, 0 to 127, or 128 for percussion.
  public let bank: Int
  /// Program, 0 to 127.
  public let program: Int
  /// Printable name: control characters are replaced.
  public let name: String

  /// - Thread: [any]
  public init(bank: Int, program: Int, name: String) {
    self.bank = bank
    self.program = program
    self.name = name
  }

  /// Orders by bank and program.
  /// - Thread: [any]
  public static func < (left: Self, right: Self) -> Bool {
    (left.bank, left.program) < (right.bank, right.program)
  }

  /// `bank:program name`.
  /// - Thread: [any]
  public var description: String { "\(bank):\(program) \(name)" }
}

/// Inspects a SoundFont without playing it.
public enum SoundFontInspector {
  /// Returns the presets of a file, in order of bank and program.
  ///
  /// - Throws: `SoundFontError`.
  /// - Thread: [control]. - Complexity: reads the whole file.
  public static func presets(
    of url: URL
  ) throws(SoundFontError) -> [SoundFontPreset] {
    try inspect(url).presets
  }

  /// Returns the presets of a file, and lines about parts left out or held to a range.
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
