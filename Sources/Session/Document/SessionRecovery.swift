// Unsaved changes of a running session, kept for a crash.

import Configuration
import Dispatch
import Files
import FoundationEssentials
import Logging
import SessionModel
import Synchronization
import UnitModel

/// Writes the unsaved changes of a session to its recovery folder, and removes them once they are
/// saved.
package final class SessionRecovery: Sendable {
  /// State of the recovery, locked while it is written. The thread that runs the session does not
  /// wait for it.
  private struct Kept {
    /// Claim of the recovery; nil until there are changes to keep.
    var claim: RecoveryClaim?
    /// Files of the recovery; nil before they are written.
    var written: SessionFiles?
    /// Whether the last attempt failed. Of several failures in a row, only the first is logged.
    var hasFailed = false
    /// Whether the session has ended, so that its recovery is for another run.
    var hasEnded = false
  }

  private struct Due {
    var last: ContinuousClock.Instant?
    var isUnderWay = false
  }

  private let interval: Duration?
  /// Folder of all sessions' recoveries; nil if there is no home for it.
  let root: URL?
  let log: Logger
  private let kept = Mutex(Kept())
  private let due = Mutex(Due())

  /// - Parameter intervalSeconds: the time between two writes; 0 to write nothing.
  package init(
    intervalSeconds: Int, log: Logger,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    interval = intervalSeconds > 0 ? .seconds(intervalSeconds) : nil
    root = RecoveryFolder.root(environment)
    self.log = log
  }

  /// Takes the claim of the recovery that the session was started from.
  func adopt(_ claim: RecoveryClaim) { kept.withLock { $0.claim = claim } }

  /// Whether it is time to write: the first changes at once, and then at the interval.
  ///
  /// If true, the caller has to call `keep`.
  func isDue(_ history: SessionHistory, now: ContinuousClock.Instant = .now) -> Bool {
    guard let interval, history.isUnsaved else { return false }
    return due.withLock { due in
      if due.isUnderWay { return false }
      if let last = due.last, now - last < interval { return false }
      due = Due(last: now, isUnderWay: true)
      return true
    }
  }

  /// Writes unsaved changes, unless they are already written.
  ///
  /// - Parameters:
  ///   - units: the running units.
  ///   - origin: the session's origin at the same moment.
  /// - Thread: [control], in parallel with the one that runs the session.
  func keep(
    _ store: SessionStore, _ history: SessionHistory, _ units: [(id: String, unit: AudioUnit)],
    _ origin: SessionOrigin
  ) {
    kept.withLock { kept in
      guard interval != nil, !kept.hasEnded, history.isUnsaved, let file = origin.file else {
        return
      }
      do {
        let document = SessionDocument(origin, units: units) { history.target(of: $0) }
        try keep(document, of: origin, file, store, &kept)
        kept.hasFailed = false
      } catch {
        if !kept.hasFailed { log.warning("changes are not kept for a crash: \(error)") }
        kept.hasFailed = true
      }
    }
    due.withLock { $0.isUnderWay = false }
  }

  private func keep(
    _ document: SessionDocument, of origin: SessionOrigin, _ file: URL, _ store: SessionStore,
    _ kept: inout Kept
  ) throws {
    guard let root else {
      throw SessionCommandError(
        "there is no place for them", accepted: "a HOME or XDG_STATE_HOME that is an absolute path")
    }
    let place = RecoveryFolder(of: file, in: root)
    if kept.claim?.place != place {
      // The session was saved to another file: the recovery is of the former one.
      drop(&kept)
      do throws(SystemError) { kept.claim = try place.claim() } catch {
        throw SessionCommandError("cannot write in \(printable(place.folder.path, 4096)): \(error)")
      }
    }
    guard let claim = kept.claim else { return }
    let files = try store.files(of: document, of: origin, keptIn: claim.file)
    guard files != kept.written else { return }
    try store.keep(files, in: claim.file)
    kept.written = files
  }

  /// Removes the recovery of a session without unsaved changes.
  ///
  /// - Thread: [control], in parallel with the one that runs the session.
  func dropIfSaved(_ history: SessionHistory) {
    kept.withLock { kept in
      if !history.isUnsaved { drop(&kept) }
    }
  }

  private func drop(_ kept: inout Kept) {
    guard let claim = kept.claim else { return }
    (kept.claim, kept.written) = (nil, nil)
    do throws(SystemError) { try claim.discard() } catch {
      log.warning("cannot remove the recovery \(printable(claim.file.path, 4096)): \(error)")
    }
  }

  /// Keeps unsaved changes at the end of the session, and logs that.
  ///
  /// - Thread: [control]
  func end(
    _ store: SessionStore, _ history: SessionHistory, _ units: [(id: String, unit: AudioUnit)]
  ) {
    if history.isDirty { keep(store, history, units, store.origin) }
    kept.withLock { kept in
      kept.hasEnded = true
      // Changes that were only played are kept only for a crash.
      guard history.isDirty, let file = store.file else { return drop(&kept) }
      let name = printable(file.path, 4096)
      guard let claim = kept.claim, FileStamp(path: claim.file.path) != nil else {
        return log.warning("what was changed and not saved of \(name) is gone")
      }
      log.notice(
        """
        what was not saved of \(name) is kept in \(printable(claim.file.path, 4096))\
        \(kept.hasFailed || interval == nil ? ", but for the last changes" : ""); \(RecoveryHint(file))
        """)
      // Another run may take it.
      (kept.claim, kept.written) = (nil, nil)
    }
  }
}

/// Hint at the options that take or discard a recovery.
struct RecoveryHint: CustomStringConvertible {
  private let word: String

  init(_ file: URL) {
    let path = printable(file.absoluteURL.standardizedFileURL.path, 4096)
    let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || "/._-+,:@%".contains($0) }
    word = isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
  }

  var description: String {
    "auricle run \(word) --recover continues with it, --discard-recovery deletes it"
  }
}

extension JackSession {
  /// Writes unsaved changes if it is time, in parallel with commands under way, which may wait for
  /// a file.
  func keepChanges() {
    guard let recovery = options.recovery, recovery.isDue(history) else { return }
    // A state of one moment: units change on this thread.
    let (units, origin) = (editor.units, store.origin)
    // Writing to a disk may take long, and this thread runs the session.
    DispatchQueue.global(qos: .utility).async { [store, history] in
      recovery.keep(store, history, units, origin)
    }
  }

  /// Ends rendering as `stop` does, then keeps unsaved changes and logs where. Waits for commands
  /// under way, but no longer than 1 s.
  ///
  /// - Thread: [control]
  package func end() async {
    stop()
    guard let recovery = options.recovery else { return }
    let (ends, continuation) = AsyncStream<Void>.makeStream()
    let waits = [
      Task { [late] in
        await late.finish()
        continuation.yield()
      },
      Task {
        try? await Task.sleep(for: .seconds(1))
        continuation.yield()
      },
    ]
    for await _ in ends { break }
    for wait in waits { wait.cancel() }
    recovery.end(store, history, plan.units)
  }
}
