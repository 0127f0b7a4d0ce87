// A preset of a SoundFont, as MIDI selects it.

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
