// Saving a running session.

import Configuration
import Files
import FoundationEssentials
import Glibc
import PropertyLists
import SessionModel
import Synchronization
import UnitModel

/// A session in the form of its files.
struct SessionFiles: Equatable {
  /// Configuration, with its positions in the text.
  let configuration: SessionConfiguration
  /// TOML text of the configuration.
  let text: String
  /// States of units, by file name.
  let states: [String: Data]
  /// Targets of links, by the links' names in the session's folder.
  var links: [String: String] = [:]
}

/// A session that was written to a file.
struct SavedSession {
  let configuration: SessionConfiguration
  let file: URL
  /// Path of the backup of the former file; nil if none was needed.
  let backup: String?
  /// Ids of the units that are not in it.
  let leftOut: [String]

  var reading: SaveReading {
    SaveReading(file: file.path, backup: backup, leftOut: leftOut.isEmpty ? nil : leftOut)
  }
}

/// Saves a session to its file, or to another one. Its file is the one it was started from or saved
/// to last. A session with a folder is saved only there, with links to the other files it plays.
package final class SessionStore: Sendable {
  private struct State {
    /// Current configuration of the session, and its file.
    var origin: SessionOrigin
    /// Content of the file when it was read or saved last.
    var base: SessionConfiguration
    /// Stamp of the file when it was read or written last.
    var known: FileStamp?
    /// Stamp of the file when it was seen last, while another program may still write it.
    var seen: FileStamp?
    /// Whether the session was started with other settings than the file's, and not saved since.
    var hasOwnSettings: Bool
  }

  private let state: Mutex<State>
  private let folder: SessionFolder?

  /// - Parameter base: the content of the session's file; nil if it is the configuration of
  ///   `origin`.
  package init(
    _ origin: SessionOrigin, base: SessionConfiguration? = nil, in folder: SessionFolder? = nil
  ) {
    self.folder = folder
    var origin = origin
    origin.file = origin.file?.absoluteURL
    let stamp = origin.file.flatMap { FileStamp(path: $0.path) }
    state = Mutex(
      State(
        origin: origin, base: base ?? origin.configuration, known: stamp, seen: stamp,
        hasOwnSettings: base.map { $0 != origin.configuration } ?? false))
  }

  /// Whether the session was started with other settings than the file's, and not saved since.
  var hasOwnSettings: Bool { state.withLock { $0.hasOwnSettings } }

  /// The session's file.
  package var file: URL? { origin.file }

  /// Current configuration of the session, and its file.
  package var origin: SessionOrigin { state.withLock { $0.origin } }

  /// Content that was read or saved last; a rewritten file is compared to it.
  var base: SessionOrigin {
    state.withLock { state in
      var base = state.origin
      base.configuration = state.base
      return base
    }
  }

  /// Adopts the file that the session has followed, and its configuration since.
  func adopt(_ base: SessionConfiguration, running: SessionConfiguration) {
    state.withLock { ($0.base, $0.origin.configuration) = (base, running) }
  }

  /// Adopts the current units, connections, mappings and scenes of the session.
  func adopt(_ structure: SessionStructure) {
    state.withLock { state in
      state.origin.configuration.units = structure.units.map(\.configuration)
      state.origin.configuration.connections = structure.connections
      state.origin.configuration.mappings = structure.mappings
      state.origin.configuration.scenes = structure.scenes
    }
  }

  /// Returns the session's file if another program has written it, and it has not changed since the
  /// previous call; nil otherwise.
  func newlyWritten() -> URL? {
    state.withLock { state in
      guard let file = state.origin.file, let stamp = FileStamp(path: file.path),
        stamp != state.known
      else { return nil }
      defer { state.seen = stamp }
      guard stamp == state.seen else { return nil }
      state.known = stamp
      return file
    }
  }

  /// Returns the session's file at once, even if another program may still write it.
  func asWritten() -> URL? {
    state.withLock { state in
      guard let file = state.origin.file else { return nil }
      let stamp = FileStamp(path: file.path)
      (state.known, state.seen) = (stamp, stamp)
      return file
    }
  }

  package func document(
    units: [(id: String, unit: AudioUnit)], target: @escaping (SessionPath) -> Float? = { _ in nil }
  ) -> SessionDocument {
    SessionDocument(origin, units: units, target: target)
  }

  /// Saves a document of a session that does not change meanwhile.
  ///
  /// - Parameter path: absolute, or nil for the session's file.
  /// - Throws: the problem and its remedy; the former files are unchanged.
  /// - Thread: [control], one thread at a time.
  @discardableResult
  package func save(
    _ document: SessionDocument, to path: String?
  ) throws(SessionCommandError) -> SaveReading {
    let origin = origin
    let saved = try write(document, of: origin, to: path)
    didSave(saved, of: origin)
    return saved.reading
  }

  /// Writes a document; the caller has to call `didSave` next. A reader finds either the former
  /// session or this one, complete, at any time and after a crash.
  ///
  /// - Parameters:
  ///   - origin: the origin of the document.
  ///   - path: absolute, or nil for the session's file.
  /// - Throws: the problem and its remedy; the former files are unchanged.
  /// - Thread: [control], one thread at a time.
  func write(
    _ document: SessionDocument, of origin: SessionOrigin, to path: String?
  ) throws(SessionCommandError) -> SavedSession {
    let file = try target(path)
    let former = try former(file, isOwn: path == nil)
    let files = try makeFiles(document, of: origin, for: file, in: folder)
    for (name, target) in files.links {
      do throws(SystemError) { try folder?.link(name, to: target) } catch {
        throw refusal(folder?.url.appendingPathComponent(name).path ?? name, error)
      }
    }
    let place = file.deletingLastPathComponent()
    for (name, state) in files.states {
      try write(state, to: place.appendingPathComponent(name).path)
    }
    var backup: String?
    if let former, losesSomething(former) {
      backup = file.path + "~"
      try write(former, to: file.path + "~")
    }
    // A symbolic link to a file stays a link.
    try write(Data(files.text.utf8), to: file.resolvingSymlinksInPath().path)
    removeStates(of: file, but: files.states)
    let stamp = FileStamp(path: file.path)
    state.withLock { ($0.known, $0.seen) = (stamp, stamp) }
    return SavedSession(
      configuration: files.configuration, file: file, backup: backup, leftOut: document.leftOut)
  }

  /// Makes the written session the origin. Changes since the document was made are kept.
  ///
  /// - Parameter former: the origin of the document.
  /// - Thread: [control]; if the file is a different one, while the session's structure stays.
  func didSave(_ saved: SavedSession, of former: SessionOrigin) {
    state.withLock { state in
      let current = state.origin.configuration
      var next = saved.configuration
      if current != former.configuration || !saved.leftOut.isEmpty {
        (next.connections, next.mappings) = (current.connections, current.mappings)
        next.scenes = current.scenes
        next.units = current.units.map { unit in
          let isSaved = former.configuration.units.contains(unit)
          return saved.configuration.units.first { isSaved && $0.id.value == unit.id.value }
            ?? moved(unit, to: saved.file, former)
        }
      }
      state.origin = state.origin.with(next, file: saved.file)
      state.base = saved.configuration
      state.hasOwnSettings = false
    }
  }

  /// Returns a unit added during the writing, with its file names relative to the new file.
  private func moved(
    _ unit: UnitConfiguration, to file: URL, _ former: SessionOrigin
  ) -> UnitConfiguration {
    var moved = unit
    var links: SessionLinks?
    do throws(SessionCommandError) {
      try rename(&moved, of: former, for: file, &links, false)
    } catch { return unit }
    return moved
  }

  // MARK: Recoveries

  /// Returns the files for a recovery of the session's file. File names in them are relative to
  /// that file, not to the recovery. Sums are left out: they take long, and the next save adds
  /// them.
  ///
  /// - Parameter origin: the origin of the document.
  func files(
    of document: SessionDocument, of origin: SessionOrigin, keptIn recovery: URL
  ) throws(SessionCommandError) -> SessionFiles {
    try makeFiles(
      document, of: origin, for: origin.file ?? recovery, statesOf: recovery, addsSums: false)
  }

  /// Writes a recovery. It is complete at any moment, as a saved session is.
  ///
  /// - Thread: [control], one thread at a time for one recovery.
  func keep(_ files: SessionFiles, in recovery: URL) throws(SessionCommandError) {
    let folder = recovery.deletingLastPathComponent()
    for (name, state) in files.states {
      try write(state, to: folder.appendingPathComponent(name).path)
    }
    let from = printable(file?.path ?? "", 4096)
    try write(Data("# A recovery of \(from)\n\(files.text)".utf8), to: recovery.path)
    removeStates(of: recovery, but: files.states)
  }

  // MARK: Target file

  private func target(_ path: String?) throws(SessionCommandError) -> URL {
    if let folder, let path, path != folder.file.path {
      throw SessionCommandError(
        "this session is saved where its session manager wants it",
        accepted: "auricle ctl save, without a file")
    }
    guard let file = path.map({ URL(fileURLWithPath: $0) }) ?? file else {
      throw SessionCommandError(
        "this session was not started from a file", accepted: "auricle ctl save FILE")
    }
    if let path, !path.hasPrefix("/") {
      throw SessionCommandError(
        "\(quoted(path)) is relative, and the session is in another folder",
        accepted: "an absolute path")
    }
    var isFolder: Bool = false
    let folder = file.deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder
    else {
      throw SessionCommandError(
        "cannot save: there is no folder \(printable(folder, 4096))",
        accepted: "an existing folder")
    }
    return file.standardizedFileURL
  }

  /// Returns the current bytes of a file; nil if it does not exist.
  private func former(_ file: URL, isOwn: Bool) throws(SessionCommandError) -> Data? {
    let bytes: Data?
    do throws(SystemError) {
      bytes = try FileAccess.read(file.path, maximumBytes: SessionConfiguration.maximumBytes)
    } catch {
      if error.number == ENOENT { return nil }
      throw refusal(file.path, error)
    }
    let name = printable(file.path, 4096)
    guard let bytes else {
      throw SessionCommandError(
        "\(name) exists and is not a session: it is too long", accepted: "another file")
    }
    // Another kind of file must not be overwritten by mistake.
    let isSession =
      bytes.isEmpty || file.pathExtension == "toml"
      || (try? read(bytes)) != nil
    guard isOwn || isSession else {
      throw SessionCommandError("\(name) exists and is not a session", accepted: "another file")
    }
    return bytes
  }

  /// Whether a save would lose parts of the bytes: comments, the user's layout, or a mistake.
  private func losesSomething(_ bytes: Data) -> Bool {
    guard !bytes.isEmpty else { return false }
    guard let read = try? read(bytes) else { return true }
    return Data(read.toml.utf8) != bytes
  }

  private func read(_ bytes: Data) throws(ConfigurationError) -> SessionConfiguration {
    try SessionConfiguration(bytes: Array(bytes), file: "", kinds: kinds)
  }

  /// Components with keys beyond those of every unit.
  private var kinds: [Component] { origin.registry.configurableUnits }

  // MARK: The files

  private func makeFiles(
    _ document: SessionDocument, of origin: SessionOrigin, for file: URL,
    in folder: SessionFolder? = nil, statesOf place: URL? = nil, addsSums: Bool = true
  ) throws(SessionCommandError) -> SessionFiles {
    var configuration = document.configuration
    var links = folder.map { SessionLinks($0) }
    var states: [String: Data] = [:]
    for index in configuration.units.indices {
      let id = configuration.units[index].id.value
      try rename(&configuration.units[index], of: origin, for: file, &links, addsSums)
      guard let state = document.states[id] else { continue }
      let content = PropertyList.xml(state)
      let name = StateFile.name(session: place ?? file, unit: id, content: content)
      configuration.units[index].state = Located(name, at: .nowhere)
      states[name] = content
    }
    let text = configuration.toml
    // Nothing is written unless the text reads back as the same configuration.
    let read: SessionConfiguration
    do throws(ConfigurationError) {
      read = try SessionConfiguration(toml: text, file: file.relativePath, kinds: kinds)
      guard read == configuration else {
        throw ConfigurationError(ConfigurationProblem("it reads otherwise", at: .nowhere))
      }
    } catch {
      throw SessionCommandError("the session cannot be said in a file: \(error.first.message)")
    }
    return SessionFiles(
      configuration: read, text: text, states: states, links: links?.targets ?? [:])
  }

  /// Rewrites the file names of a unit for the new file, with the files' sizes and sums if
  /// `addsSums`.
  private func rename(
    _ unit: inout UnitConfiguration, of origin: SessionOrigin, for file: URL,
    _ links: inout SessionLinks?, _ addsSums: Bool
  ) throws(SessionCommandError) {
    guard let type = origin.registry.unitType(of: unit) as? any FileNamingUnit.Type else { return }
    do throws(ConfigurationProblem) {
      try type.rename(
        &unit.keys, from: origin.context, to: file, naming: { links?.name(of: $0) },
        addsSums: addsSums)
    } catch { throw SessionCommandError(error) }
  }

  private func write(_ data: Data, to path: String) throws(SessionCommandError) {
    do throws(SystemError) { try FileAccess.write(data, to: path) } catch {
      throw refusal(path, error)
    }
  }

  private func refusal(_ path: String, _ error: SystemError) -> SessionCommandError {
    SessionCommandError(
      "cannot save to \(printable(path, 4096)): \(error)",
      accepted: error.isFullDisk
        ? "a disk with more room" : "a file that may be written: auricle ctl save FILE")
  }

  /// Removes the states that neither the session nor the backup of the former one refers to.
  private func removeStates(of file: URL, but kept: [String: Data]) {
    let copy = FileAccess.text(file.path + "~", maximumBytes: SessionConfiguration.maximumBytes)
    let folder = file.deletingLastPathComponent()
    for name in StateFile.names(of: file) where kept[name] == nil && !copy.contains(name) {
      try? FileAccess.remove(folder.appendingPathComponent(name).path)
    }
  }
}
