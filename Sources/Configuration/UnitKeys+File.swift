// A key that names one file, which is found as audio files are.

public import Foundation

extension UnitKeys {
  /// The file that a key names, if it is there: what `FileNamingUnit.files` tells of it.
  ///
  /// - Parameter what: "an audio file".
  /// - Thread: [control]
  public func file(_ key: String, _ what: String, _ context: ConfigurationContext)
    -> ConfiguredFile?
  {
    guard let value = self[key], let name = try? value.name(key) else { return nil }
    let url = context.url(ofAudioFile: name.value)
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return ConfiguredFile(what, url, at: name.location)
  }

  /// Gives the file that a key names a name from a configuration elsewhere, as
  /// `FileNamingUnit.rename` has it: what lies below that one's folder from there on, else where it
  /// is.
  ///
  /// - Thread: [control]
  public mutating func renameFile(
    _ key: String, from context: ConfigurationContext, to file: URL, naming name: (URL) -> String?
  ) throws(ConfigurationProblem) {
    guard let value = self[key] else { return }
    let url = context.url(ofAudioFile: try value.name(key).value)
    let folder = file.deletingLastPathComponent().standardizedFileURL.path + "/"
    let path = url.standardizedFileURL.path
    let written = path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    set(ConfigurationKey(key), to: ConfigurationValue(.string(name(url) ?? written)))
  }
}
