// Location of audio files that a configuration names.

import Files
public import FoundationEssentials

extension ConfigurationContext {
  /// Returns the audio file of a name. A name is absolute, or relative to the home folder (`~/`) or
  /// the configuration's folder; without a configuration file, to the current folder.
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
