// A key with the name of one file, which is located like an audio file.

public import FoundationEssentials

extension UnitKeys {
  /// Returns the file that a key names, for `FileNamingUnit.files`; nil if the key is not set, is
  /// no name, or the file does not exist.
  ///
  /// - Parameter what: a description: "an audio file".
  /// - Thread: [control]
  public func file(_ key: String, _ what: String, _ context: ConfigurationContext)
    -> ConfiguredFile?
  {
    guard let value = self[key], let name = try? value.name(key) else { return nil }
    let url = context.url(ofAudioFile: name.value)
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return ConfiguredFile(what, url, at: name.location)
  }

  /// Rewrites the file name under `key` for a configuration saved at `file`. Uses the name `naming`
  /// returns, else a relative path if below the folder of `file`, else an absolute path.
  ///
  /// - Throws: `ConfigurationProblem` if the key's value is no name.
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
