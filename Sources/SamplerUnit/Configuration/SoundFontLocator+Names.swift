// The SoundFonts of the usual folders.

import FoundationEssentials

extension SoundFontLocator {
  /// The names by which `locate` finds the SoundFonts of the usual folders at present, in their
  /// order. Folders within them are left out.
  ///
  /// - Thread: [control]
  public var names: [String] {
    var found: Set<String> = []
    for folder in folders {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in files where Self.isSoundFont(name) && !name.hasPrefix(".") { found.insert(name) }
    }
    return found.sorted()
  }

  /// Whether a file's name has the extension of a SoundFont.
  static func isSoundFont(_ name: String) -> Bool {
    [".sf2", ".sf3"].contains { name.lowercased().hasSuffix($0) }
  }
}
