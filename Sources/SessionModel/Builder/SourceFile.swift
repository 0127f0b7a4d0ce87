// Files that a session was made from.

import Configuration
public import FoundationEssentials

/// A file that a session reads.
public struct SourceFile: Sendable, Hashable {
  /// A description: "the configuration", "the SoundFont of 'piano'".
  public let what: String
  public let url: URL

  public init(_ what: String, _ url: URL) {
    self.what = what
    self.url = url
  }
}

extension SourceFile {
  /// Returns the files of a session, which nothing may overwrite.
  static func all(
    _ configuration: URL?, _ files: [(unit: String, file: ConfiguredFile)]
  ) -> [SourceFile] {
    (configuration.map { [SourceFile("the configuration", $0)] } ?? [])
      + files.map { SourceFile("\($0.file.what) of '\($0.unit)'", $0.file.url) }
  }
}
