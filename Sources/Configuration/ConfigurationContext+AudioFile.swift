// Where audio files are that a configuration names.

import Files
public import Foundation

extension ConfigurationContext {
  /// The audio file of a name: an absolute path, one from the home folder on (`~/`), or one beside
  /// the configuration; beside nothing, one in the current folder.
  ///
  /// - Thread: [any]
  public func url(ofAudioFile name: String) -> URL {
    if name.hasPrefix("~/"), let home = BaseFolders(environment).home {
      return URL(fileURLWithPath: String(name.dropFirst(2)), relativeTo: home)
    }
    guard let file else { return URL(fileURLWithPath: name) }
    return URL(fileURLWithPath: name, relativeTo: file.deletingLastPathComponent())
  }
}
