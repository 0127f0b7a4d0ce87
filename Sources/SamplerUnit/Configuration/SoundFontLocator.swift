// Search for the SoundFont file that a configuration names.

import Configuration
import Files
public import FoundationEssentials

/// Finds SoundFonts by absolute path, next to the configuration, or in the usual folders.
///
/// - Thread: [control]
public struct SoundFontLocator: Sendable {
  /// The usual folders, in the order in which they are searched.
  public let folders: [URL]
  private let homeFolder: URL?

  /// - Parameter environment: HOME, XDG_DATA_HOME and XDG_DATA_DIRS determine the usual folders.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let base = BaseFolders(environment)
    let home = base.home
    let standardData = ["/usr/local/share", "/usr/share"].map {
      URL(fileURLWithPath: $0, isDirectory: true)
    }
    var folders: [URL] = []
    for data in [base.data].compactMap({ $0 }) + base.systemData + standardData {
      for name in ["soundfonts", "sounds/sf2", "sounds/sf3"] {
        let candidate = data.appendingPathComponent(name, isDirectory: true)
        if !folders.contains(where: { $0.path == candidate.path }) { folders.append(candidate) }
      }
    }
    self.folders = folders
    homeFolder = home
  }

  /// Returns the first existing file for a name.
  ///
  /// - Parameters:
  ///   - name: an absolute path, also with `~/`, or a path relative to the folders searched.
  ///   - configuration: the configuration file, whose folder is searched first.
  public func locate(
    _ name: String, beside configuration: URL? = nil
  ) throws(SoundFontLocationError) -> URL {
    let candidates: [URL]
    if name.hasPrefix("/") {
      candidates = [URL(fileURLWithPath: name)]
    } else if name.hasPrefix("~/"), let homeFolder {
      candidates = [homeFolder.appendingPathComponent(String(name.dropFirst(2)))]
    } else {
      let beside = configuration.map { [$0.absoluteURL.deletingLastPathComponent()] } ?? []
      candidates = (beside + folders).map { $0.appendingPathComponent(name) }
    }
    for candidate in candidates {
      var isFolder: Bool = false
      let exists = FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder)
      if exists, !isFolder { return candidate.standardizedFileURL }
    }
    throw SoundFontLocationError(name: name, searched: candidates.map(\.path))
  }
}

extension SoundFontLocator {
  /// The name of a file for a configuration at `file`. Prefers `written`, then a relative name if
  /// `written` is relative; otherwise the absolute path. Names must lead to the file.
  func name(of url: URL, written: String, beside file: URL) -> String {
    func leads(_ name: String) -> Bool { (try? locate(name, beside: file))?.path == url.path }
    if leads(written) { return written }
    if !written.hasPrefix("/"), !written.hasPrefix("~/") {
      let from = file.deletingLastPathComponent().standardizedFileURL.pathComponents
      let to = url.standardizedFileURL.pathComponents
      let shared = zip(from, to).prefix { $0 == $1 }.count
      let ups = Array(repeating: "..", count: from.count - shared)
      let relative = (ups + to[shared...]).joined(separator: "/")
      if shared > 1, leads(relative) { return relative }
    }
    return url.path
  }
}

/// The error of a SoundFont that was not found.
///
/// - Thread: [any]
public struct SoundFontLocationError: Error, Equatable, CustomStringConvertible {
  /// The name as the configuration writes it.
  public let name: String
  /// The paths tried, in order.
  public let searched: [String]

  /// The Debian package with this file, if it is one of the common ones; nil otherwise.
  public var debianPackage: String? {
    switch name.split(separator: "/").last {
    case "TimGM6mb.sf2": "timgm6mb-soundfont"
    case "FluidR3_GM.sf2": "fluid-soundfont-gm"
    default: nil
    }
  }

  public var description: String {
    var text =
      "no SoundFont \(quoted(name)); looked for "
      + searched.map { printable($0, 4096) }.joined(separator: ", ")
    if let debianPackage { text += "; on Debian: apt install \(debianPackage)" }
    return text
  }
}
