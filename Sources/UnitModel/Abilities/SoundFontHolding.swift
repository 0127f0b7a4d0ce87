// Units that play a SoundFont.

public import FoundationEssentials

/// A unit that can load a SoundFont, as `auricle ctl soundfont` requests.
///
/// Unless it has entries, its factory presets are the sounds, numbered 128 · bank + program.
public protocol SoundFontHolding: AudioUnit {
  /// Finds a SoundFont file by name, also in the usual folders.
  ///
  /// - Throws: an error that names the folders searched.
  /// - Thread: [control]
  static func soundFontFile(named name: String) throws -> URL

  /// Loads a file in place of the loaded one, and plays a preset of it.
  ///
  /// - Throws: an error that describes the fault of the file; the former SoundFont then keeps
  ///   playing.
  /// - Thread: [control]
  func loadSoundFont(_ file: URL, bank: Int, program: Int) async throws

  /// Bank and program of a preset that is a sound of the loaded SoundFont; nil for others.
  ///
  /// - Thread: [control]
  func sound(of preset: Preset) -> (bank: Int, program: Int)?
}
