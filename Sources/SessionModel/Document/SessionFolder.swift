// A folder that has all of a session.

import Files
import Foundation
import UnitModel

/// A folder with a session's file and all that belongs to it; what is elsewhere is linked into it,
/// so that it can be moved, copied and archived by programs that know nothing of it.
package struct SessionFolder: Sendable, Equatable {
  package let url: URL

  package init(_ url: URL) { self.url = url.standardizedFileURL }

  package var file: URL { url.appendingPathComponent("session.toml") }

  /// The first name, in order, of something in a folder that no session has put there; nil for a
  /// folder that is empty or does not exist.
  package var foreignName: String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.filter { !$0.hasPrefix(".") && $0 != Self.links }.min()
  }

  /// Where the links are.
  static let links = "files"

  /// The path within the folder of a file that is there, or linked there.
  func name(of file: URL) -> String? {
    let (own, other) = (url.pathComponents, file.standardizedFileURL.pathComponents)
    guard other.count > own.count, other.starts(with: own) else { return nil }
    return other[own.count...].joined(separator: "/")
  }

  /// Has a name of the folder lead to a file: at any time it leads where it led before, or there.
  ///
  /// - Parameter target: an absolute path.
  /// - Thread: [control]
  package func link(_ name: String, to target: String) throws(SystemError) {
    let path = url.appendingPathComponent(name).path
    if destination(of: path) == target { return }
    let place = (path as NSString).deletingLastPathComponent
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

  /// What a link says, nil for what is none.
  private func destination(of path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  /// Whether a name can be given to a link that leads to a file: one of a file that is in the
  /// folder cannot, nor one that leads to another file.
  func isFree(_ name: String, for target: String) -> Bool {
    let path = url.appendingPathComponent(name).path
    var status = stat()
    guard lstat(path, &status) == 0 else { return true }
    guard status.st_mode & S_IFMT == S_IFLNK else { return false }
    // One that leads nowhere is of no use to anybody.
    guard let linked = FileIdentity(path: path) else { return true }
    return linked == FileIdentity(path: target)
  }

  /// Removes links that lead to none of the files, and that a text says nothing of.
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

/// The links that a session's folder is to have for the files that it plays from elsewhere.
package struct SessionLinks {
  private let folder: SessionFolder
  /// To what they lead, by their names in the folder.
  package private(set) var targets: [String: String] = [:]

  package init(_ folder: SessionFolder) { self.folder = folder }

  /// What a file is called in the folder: by the name that it has, with a number where another one
  /// is called so.
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
