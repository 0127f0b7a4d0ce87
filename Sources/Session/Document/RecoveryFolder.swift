// Folder of the recoveries of a session's file.

import Files
import FoundationEssentials
import Glibc
import SessionModel
import UnitModel

/// A session with unsaved changes, abandoned by a run that has ended.
struct Recovery: Equatable {
  /// Number of the recovery. Of two with the same date, the later one has the greater.
  let number: Int
  /// The session as TOML, with its states next to it. SoundFonts are named as from the session's
  /// own file.
  let file: URL
  /// Date of the last write.
  let date: Date
}

/// The folder for the recoveries of one session's file.
///
/// A run that has changes takes a number: its recovery is `NUMBER.toml`, and `NUMBER.lock` is
/// locked while it runs. A recovery that no run has locked is abandoned. One process at a time
/// takes, lists and gives up numbers.
struct RecoveryFolder: Equatable {
  /// Maximum number of abandoned recoveries; the oldest are removed.
  static let capacity = 10

  private let root: URL
  let folder: URL

  /// - Parameters:
  ///   - file: the session's file, identified by its absolute path.
  ///   - root: the folder of all sessions' recoveries.
  init(of file: URL, in root: URL) {
    let path = file.absoluteURL.standardizedFileURL.path
    var stem = file.lastPathComponent
    if stem.hasSuffix(".toml") { stem.removeLast(5) }
    // With the sum, the name has to fit into 255 bytes.
    while stem.utf8.count > 120 { stem.removeLast() }
    let sum = SHA256.hexadecimal(path.utf8).prefix(32)
    self.root = root
    folder = root.appendingPathComponent("\(stem)-\(sum)", isDirectory: true)
  }

  /// `$XDG_STATE_HOME/auricle/recovery`, where XDG_STATE_HOME is `~/.local/state` if it is not set
  /// to an absolute path; nil without a home.
  static func root(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL? {
    BaseFolders(environment).state?.appendingPathComponent("auricle/recovery", isDirectory: true)
  }

  /// Returns the abandoned recoveries, the newest first.
  ///
  /// - Thread: [control]
  func leftBehind() throws(SystemError) -> [Recovery] {
    // Nothing is created if there are no recoveries.
    guard !names.isEmpty else { return [] }
    return try alone { () throws(SystemError) in abandoned }
  }

  /// Takes an abandoned recovery, or a new number, for as long as this process runs.
  ///
  /// - Throws: the system's error; `EWOULDBLOCK` or `ENOENT` if another process was faster.
  /// - Thread: [control]
  func claim(_ recovery: Recovery? = nil) throws(SystemError) -> RecoveryClaim {
    try FileAccess.makeFolder(root.path, mode: 0o700)
    return try alone { () throws(SystemError) in
      if let recovery {
        guard FileStamp(path: recovery.file.path) != nil else {
          throw SystemError(number: ENOENT)
        }
        return RecoveryClaim(self, recovery.number, try FileLock(path: lock(recovery.number)))
      }
      try FileAccess.makeFolder(folder.path, mode: 0o700)
      tidy()
      for old in abandoned.dropFirst(Self.capacity - 1) { try remove(old.number) }
      let number = (numbers.max() ?? 0) + 1
      return RecoveryClaim(self, number, try FileLock(path: lock(number)))
    }
  }

  /// Removes the abandoned recoveries.
  ///
  /// - Returns: the removed recoveries, the newest first.
  /// - Thread: [control]
  func discard() throws(SystemError) -> [Recovery] {
    guard !names.isEmpty else { return [] }
    return try alone { () throws(SystemError) in
      let recoveries = abandoned
      for recovery in recoveries { try remove(recovery.number) }
      tidy()
      rmdir(folder.path)
      return recoveries
    }
  }

  // MARK: Numbers

  func file(_ number: Int) -> URL { folder.appendingPathComponent("\(number).toml") }

  private func lock(_ number: Int) -> String { folder.path + "/\(number).lock" }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  }

  /// Numbers of all files, of any run.
  private var numbers: Set<Int> {
    let numbers = names.compactMap { name in
      name.firstIndex(of: ".").flatMap { Int(name[..<$0]) }
    }
    // Other numbers are not ours.
    return Set(numbers.filter { (1..<1_000_000_000).contains($0) })
  }

  /// Abandoned recoveries, the newest first.
  private var abandoned: [Recovery] {
    let recoveries = numbers.compactMap { number -> Recovery? in
      let file = file(number)
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
      guard let date = attributes?[.modificationDate] as? Date, isFree(number) else { return nil }
      return Recovery(number: number, file: file, date: date)
    }
    return recoveries.sorted { ($0.date, $0.number) > ($1.date, $1.number) }
  }

  private func isFree(_ number: Int) -> Bool {
    do throws(SystemError) { _ = try FileLock(path: lock(number)) } catch { return false }
    return true
  }

  /// Removes files without a recovery: of runs killed before they wrote one, or while they removed
  /// it.
  private func tidy() {
    TemporaryFile.removeAbandoned(in: folder.path)
    for number in numbers where FileStamp(path: file(number).path) == nil && isFree(number) {
      try? remove(number)
    }
  }

  /// Removes a recovery: its own file first, then the files that belong to it.
  fileprivate func remove(_ number: Int) throws(SystemError) {
    let file = file(number).path
    if FileStamp(path: file) != nil { try FileAccess.remove(file) }
    for name in names where name.hasPrefix("\(number).") { unlink(folder.path + "/" + name) }
  }

  fileprivate func alone<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    try FileLock.hold(root.path + "/.lock", body)
  }
}

/// A number of a recovery, taken by this process.
final class RecoveryClaim: Sendable {
  let place: RecoveryFolder
  let file: URL
  private let number: Int
  private let lock: FileLock

  fileprivate init(_ place: RecoveryFolder, _ number: Int, _ lock: FileLock) {
    self.place = place
    self.number = number
    self.lock = lock
    file = place.file(number)
  }

  /// Removes the recovery, and the folder with the last one. The number stays taken while this
  /// object exists.
  ///
  /// - Thread: [control]
  func discard() throws(SystemError) {
    try place.alone { () throws(SystemError) in
      try place.remove(number)
      rmdir(place.folder.path)
    }
  }
}
