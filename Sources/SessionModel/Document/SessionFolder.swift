// A folder with all files of a session.

import Files
import FoundationEssentials
import Glibc
import UnitModel

/// A folder with a session's file and all files that it needs. Files elsewhere are linked into it,
/// so that any program can move, copy and archive it.
package struct SessionFolder: Sendable, Equatable {
  package let url: URL

  package init(_ url: URL) { self.url = url.standardizedFileURL }

  package var file: URL { url.appendingPathComponent("session.toml") }

  /// The first name in the folder, in order, that is neither hidden nor put there by a session; nil
  /// if there is none, or no folder.
  package var foreignName: String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.filter { !$0.hasPrefix(".") && $0 != Self.links }.min()
  }

  /// The name of the folder of links.
  static let links = "files"

  /// Returns the path within the folder of a file or link below it; nil for a file elsewhere.
  func name(of file: URL) -> String? {
    let (own, other) = (url.pathComponents, file.standardizedFileURL.pathComponents)
    guard other.count > own.count, other.starts(with: own) else { return nil }
    return other[own.count...].joined(separator: "/")
  }

  /// Points a link of the folder to a file. Replaces an existing link atomically.
  ///
  /// - Parameter target: an absolute path.
  /// - Thread: [control]
  package func link(_ name: String, to target: String) throws(SystemError) {
    let file = url.appendingPathComponent(name)
    let path = file.path
    if destination(of: path) == target { return }
    let place = file.deletingLastPathComponent().path
    try FileAccess.makeFolder(place)
    let random = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let temporary = "\(place)/.link-\(random)"
    guard symlink(target, temporary) == 0 else { throw .last }
    guard rename(temporary, path) == 0 else {
      let error = SystemError.last
      unlink(temporary)
      throw error
    }
    try TemporaryFile.synchronize(folder: place)
  }

  /// Returns the target of a link; nil for a path that is no link.
  private func destination(of path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  /// Whether a name is free for a link to a file: there is no file of that name, and no link to
  /// another file.
  func isFree(_ name: String, for target: String) -> Bool {
    let path = url.appendingPathComponent(name).path
    var status = stat()
    guard lstat(path, &status) == 0 else { return true }
    guard status.st_mode & S_IFMT == S_IFLNK else { return false }
    // A broken link may be replaced.
    guard let linked = FileIdentity(path: path) else { return true }
    return linked == FileIdentity(path: target)
  }

  /// Removes links that are not in `files` and not named in a text.
  ///
  /// - Thread: [control]
  package func removeLinks(but files: Set<String>, namedIn text: String) {
    let place = url.appendingPathComponent(Self.links, isDirectory: true)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? [] {
      let path = place.appendingPathComponent(name).path
      guard destination(of: path) != nil, !files.contains(path), !text.contains(name) else {
        continue
      }
      unlink(path)
    }
  }
}

/// Links of a session's folder to the files that it plays from elsewhere.
package struct SessionLinks {
  private let folder: SessionFolder
  /// Targets of the links, by their names in the folder.
  package private(set) var targets: [String: String] = [:]

  package init(_ folder: SessionFolder) { self.folder = folder }

  /// Returns a file's name in the folder, and adds a link for a file elsewhere. The link has the
  /// file's name, with a number if that name is taken.
  package mutating func name(of file: URL) -> String {
    if let own = folder.name(of: file) { return own }
    let target = file.resolvingSymlinksInPath().path
    if let known = targets.first(where: { $0.value == target }) { return known.key }
    let stem = file.deletingPathExtension().lastPathComponent
    let ending = file.pathExtension
    var number = 1
    while true {
      let plain = number == 1 ? stem : "\(stem)-\(number)"
      let name = "\(SessionFolder.links)/\(plain)" + (ending.isEmpty ? "" : ".\(ending)")
      if targets[name] == nil, folder.isFree(name, for: target) {
        targets[name] = target
        return name
      }
      number += 1
    }
  }
}
