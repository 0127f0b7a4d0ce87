// What is played without a configuration.

import Configuration

/// A SoundFont with keyboards or a MIDI file, or an audio file with an effect.
public struct PlayOptions: Sendable {
  /// A SoundFont: a path, or a name in the usual folders; with `unit` an audio file.
  public var file: String
  /// A MIDI file that plays the SoundFont.
  public var song: String?
  /// The effect that audio is played through, by its short name or codes.
  public var unit: String?
  /// The name of a preset of the SoundFont or of the effect, or its number.
  public var preset: String?
  /// 0 to 16383.
  public var bank: Int?
  /// 0 to 127.
  public var program: Int?
  /// How long it goes on behind the end of the file, in seconds; nil as long as it rings.
  public var tailSeconds: Double?

  public static let banks = SoundSelection.banks
  public static let programs = SoundSelection.programs
  public static let tails = BounceOptions.tails
  /// The longest ringing that is waited for, in seconds.
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
