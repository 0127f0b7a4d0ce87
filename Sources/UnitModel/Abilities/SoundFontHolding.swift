// Units that play a SoundFont.

public import Foundation

/// A unit that can be given a SoundFont, which `auricle ctl soundfont` does.
public protocol SoundFontHolding: AudioUnit {
  /// Finds the file of a name, in the usual folders too.
  ///
  /// - Throws: what says where it was looked for.
  /// - Thread: [control]
  static func soundFontFile(named name: String) throws -> URL

  /// Loads a file in the place of what is loaded, and plays a preset of it.
  ///
  /// - Throws: what is wrong with it; what was loaded before goes on playing.
  /// - Thread: [control]
  func loadSoundFont(_ file: URL, bank: Int, program: Int) async throws
}
