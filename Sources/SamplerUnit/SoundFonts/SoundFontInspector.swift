// Inspection of SoundFont files.

public import FoundationEssentials
public import SoundFontFiles

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
