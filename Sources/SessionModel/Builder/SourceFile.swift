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

extension SourceFile {
  /// The files of a session, for those who must not write over them.
  static func all(
    _ configuration: URL?, _ files: [(unit: String, file: ConfiguredFile)]
  ) -> [SourceFile] {
    (configuration.map { [SourceFile("the configuration", $0)] } ?? [])
      + files.map { SourceFile("\($0.file.what) of '\($0.unit)'", $0.file.url) }
  }
}
