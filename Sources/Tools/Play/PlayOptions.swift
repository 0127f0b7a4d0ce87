// Options of playing without a configuration.

import Configuration

/// A SoundFont with keyboards or a MIDI file, or an audio file with an effect.
public struct PlayOptions: Sendable {
  /// A SoundFont: a path, or a name in the usual folders. With `unit`, an audio file.
  public var file: String
  /// A MIDI file that plays the SoundFont; nil for none.
  public var song: String?
  /// The effect for the audio file, by its short name or codes; nil to play a SoundFont.
  public var unit: String?
  /// A preset of the SoundFont or the effect, by its name or number; nil for none.
  public var preset: String?
  /// The bank of the SoundFont, 0 to 16383; nil if not given.
  public var bank: Int?
  /// The program of the SoundFont, 0 to 127; nil if not given.
  public var program: Int?
  /// Seconds to render after the end of the file; nil for as long as the tail lasts, at most 5.
  public var tailSeconds: Double?

  public static let banks = SoundSelection.banks
  public static let programs = SoundSelection.programs
  public static let tails = BounceOptions.tails
  /// The longest tail to wait for, in seconds.
  static let longestRinging = 5.0

  public init(
    file: String, song: String? = nil, unit: String? = nil, preset: String? = nil,
    bank: Int? = nil, program: Int? = nil, tailSeconds: Double? = nil
  ) {
    self.file = file
    self.song = song
    self.unit = unit
    self.preset = preset
    self.bank = bank
    self.program = program
    self.tailSeconds = tailSeconds
  }
}
