// A SoundFont of a stack.

public import FoundationEssentials

/// A SoundFont file, with the offset of its banks in a stack.
///
/// As in FluidSynth, later entries of a stack lie on top: of several SoundFonts with a bank and
/// program, the last one plays. A file's bank 0 is the stack's bank `bankOffset`, and its
/// percussion bank the stack's bank 128 + `bankOffset`. So a SoundFont with an offset leaves drum
/// channels to the others.
public struct SoundFontEntry: Sendable, Hashable {
  /// The offsets that leave a bank for MIDI to select.
  public static let bankOffsets = 0...127

  /// The SF2 or SF3 file.
  public var url: URL
  /// Offset of its banks, 0 to 127.
  public var bankOffset: Int

  /// - Thread: [any]
  public init(_ url: URL, bankOffset: Int = 0) {
    self.url = url
    self.bankOffset = bankOffset
  }
}
