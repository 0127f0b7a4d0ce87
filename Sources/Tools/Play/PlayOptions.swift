// Options of playing without a configuration.

import Configuration

/// Files to play: SoundFonts from keyboards, MIDI files, and audio files.
public struct PlayOptions: Sendable {
  /// Paths of MIDI files, audio files and folders of them, in the order in which they are played.
  /// At most one is a SoundFont: a path, or a name in the usual folders.
  public var files: [String]
  /// The effect for all sound, by its short name or codes; nil for none.
  public var unit: String?
  /// A preset of the effect if there is one, otherwise of the SoundFont, by its name or number; nil
  /// for none.
  public var preset: String?
  /// The bank of the SoundFont, 0 to 16383; nil if not given.
  public var bank: Int?
  /// The program of the SoundFont, 0 to 127; nil if not given.
  public var program: Int?
  /// Seconds to render after the end of a file that no other file joins without a gap; nil for as
  /// long as the tail lasts, at most 5.
  public var tailSeconds: Double?
  /// Whether to play the files again and again.
  public var loops: Bool

  public static let banks = SoundSelection.banks
  public static let programs = SoundSelection.programs
  public static let tails = BounceOptions.tails
  /// The longest tail to wait for, in seconds.
  static let longestRinging = 5.0

  public init(
    files: [String], unit: String? = nil, preset: String? = nil, bank: Int? = nil,
    program: Int? = nil, tailSeconds: Double? = nil, loops: Bool = false
  ) {
    self.files = files
    self.unit = unit
    self.preset = preset
    self.bank = bank
    self.program = program
    self.tailSeconds = tailSeconds
    self.loops = loops
  }
}
