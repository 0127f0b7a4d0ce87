// Location of audio files that a configuration names.

import Files
public import Foundation

extension ConfigurationContext {
  /// Returns the audio file of a name: an absolute path, or relative to the home folder (`~/`), to
  /// the configuration's folder, or without a configuration file to the current folder.
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
