// Search for the configuration that a user names.
import Files
public import FoundationEssentials

/// Finds configurations by path, or by name in the configuration folders.
///
/// - Thread: [control]
public struct ConfigurationLocator: Sendable {
  /// The folders, in the order in which they are searched.
  public let folders: [URL]
  /// The user's folder, which need not exist; nil without a home folder.
  public let userFolder: URL?

  /// - Parameters:
  ///   - environment: variables; HOME, XDG_CONFIG_HOME and XDG_CONFIG_DIRS locate the folders of
  ///     the user and the system.
  ///   - program: the program's file, to find configurations installed with it.
  public init(
    environment: [String: String] = ProcessInfo.processInfo.environment, program: URL? = nil
  ) {
    let base = BaseFolders(environment)
    let prefix = program?.resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent()
    let prefixes =
      [prefix].compactMap { $0 }
      + ["/usr/local", "/usr"].map {
        URL(fileURLWithPath: $0, isDirectory: true)
      }
    let here = URL(fileURLWithPath: ".", isDirectory: true)
    userFolder = base.configuration?.appendingPathComponent("auricle", isDirectory: true)
    var folders: [URL] = []
    var candidates = [here, here.appendingPathComponent("config", isDirectory: true)]
    candidates += ([base.configuration].compactMap { $0 } + base.systemConfiguration).map {
      $0.appendingPathComponent("auricle")
    }
    candidates += prefixes.map { $0.appendingPathComponent("share/auricle/config") }
    for candidate in candidates where !folders.contains(where: { $0.path == candidate.path }) {
      folders.append(candidate)
    }
    self.folders = folders
  }

  /// Returns the file for a path or a name; a name may omit `.toml`.
  ///
  /// A text with a slash, or the name of a file in the current folder, is a path. A path is not
  /// checked: reading it may fail.
  ///
  /// - Throws: `ConfigurationError` with the nearest known name, if no folder has such a file.
  public func locate(_ name: String) throws(ConfigurationError) -> URL {
    let path = URL(fileURLWithPath: name)
    if name.contains("/") || isFile(path) { return path }
    for folder in folders {
      for file in [name, name + ".toml"] {
        let candidate = folder.appendingPathComponent(file)
        if isFile(candidate) { return candidate }
      }
    }
    let known = names
    // Upper and lower case are the same.
    if let other = known.named(name, by: { $0 }), other != name { return try locate(other) }
    var message = "there is no such configuration"
    if let nearest = nearestMatch(to: name, among: known) {
      message += ": did you mean \(quoted(nearest))?"
    }
    throw ConfigurationError(
      ConfigurationProblem(
        message,
        accepted: (["a file"] + known.map { printable($0, 64) }).joined(separator: ", ")
          + " (looked in "
          + folders.map { printable($0.relativePath, 200) }.joined(separator: ", ") + ")",
        at: SourcePosition(file: printable(name, 200))))
  }

  /// The names that can be found at present, without `.toml`, in their order.
  public var names: [String] { known.map(\.name) }

  /// The configurations that can be found at present by their names, in the order of these.
  public var known: [(name: String, file: URL)] {
    var found: [String: URL] = [:]
    for folder in folders.dropFirst() {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for file in files where file.hasSuffix(".toml") {
        let name = String(file.dropLast(5))
        if found[name] == nil { found[name] = folder.appendingPathComponent(file) }
      }
    }
    return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func isFile(_ url: URL) -> Bool {
    var isFolder: Bool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && !isFolder
  }
}
