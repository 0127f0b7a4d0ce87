// The files that a session was made of.

import Configuration
public import Foundation

/// A file that a session reads.
public struct SourceFile: Sendable, Hashable {
  /// "the configuration", "the SoundFont of 'piano'".
  public let what: String
  public let url: URL

  public init(_ what: String, _ url: URL) {
    self.what = what
    self.url = url
  }
}

extension SessionBuilder {
  /// The files of a configuration, for those who must not write over them.
  func sources(of configuration: SessionConfiguration, file: URL?) -> [SourceFile] {
    var sources = file.map { [SourceFile("the configuration", $0)] } ?? []
    for unit in configuration.units {
      let fonts = unit.soundFonts + unit.entries.flatMap(\.soundFonts)
      for font in fonts {
        // It was found when the unit was made.
        guard let url = try? locator.find(font, beside: file).url else { continue }
        sources.append(SourceFile("a SoundFont of '\(unit.id.value)'", url))
      }
    }
    return sources
  }
}
