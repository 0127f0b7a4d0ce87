// What is not saved of a running session, kept for a crash.

import Configuration
import Files
import Foundation
import Logging
import SessionModel
import Synchronization
import UnitModel

/// Writes the changes of a session that are not saved to its recovery place, and removes them when
/// they are saved.
package final class SessionRecovery: Sendable {
  /// What is known of the recovery, held while it is written; the thread that runs the session does
  /// not wait for it.
  private struct Kept {
    /// Nil until there is something to keep.
    var claim: RecoveryClaim?
    /// What the recovery has.
    var written: SessionFiles?
    /// Whether the last attempt failed, which is told once.
    var hasFailed = false
    /// Whether the session has ended, and what is kept is for another run.
    var hasEnded = false
  }

  private struct Due {
    var last: ContinuousClock.Instant?
    var isUnderWay = false
  }

  private let interval: Duration?
  /// That of all sessions' recoveries; nil where there is no home for them.
  let root: URL?
  let log: Logger
  private let kept = Mutex(Kept())
  private let due = Mutex(Due())

  /// - Parameter intervalSeconds: how long after the last time changes are written again; 0 for
  ///   never.
  package init(
    intervalSeconds: Int, log: Logger,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    interval = intervalSeconds > 0 ? .seconds(intervalSeconds) : nil
    root = RecoveryFolder.root(environment)
    self.log = log
  }

  /// The session is one that was recovered.
  func adopt(_ claim: RecoveryClaim) { kept.withLock { $0.claim = claim } }

  /// Whether it is time to write: the first changes at once, and then at the interval.
  ///
  /// `keep` has to follow then.
  func isDue(_ history: SessionHistory, now: ContinuousClock.Instant = .now) -> Bool {
    guard let interval, history.isUnsaved else { return false }
    return due.withLock { due in
      if due.isUnderWay { return false }
      if let last = due.last, now - last < interval { return false }
      due = Due(last: now, isUnderWay: true)
      return true
    }
  }

  /// Writes what is not saved, unless it is written already.
  ///
  /// - Parameters:
  ///   - units: those that run.
  ///   - origin: what the session was then.
  /// - Thread: [control], beside the one that runs the session.
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
      // It belongs to another file since it was saved there.
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

  /// Removes the recovery of a session that has no changes any more.
  ///
  /// - Thread: [control], beside the one that runs the session.
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

  /// Keeps what is not saved as the session ends, and says so.
  ///
  /// - Thread: [control]
  func end(
    _ store: SessionStore, _ history: SessionHistory, _ units: [(id: String, unit: AudioUnit)]
  ) {
    if history.isDirty { keep(store, history, units, store.origin) }
    kept.withLock { kept in
      kept.hasEnded = true
      // What was only played is kept for a crash alone.
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

/// How a recovery is taken, or thrown away.
struct RecoveryHint: CustomStringConvertible {
  private let word: String

  init(_ file: URL) {
    let path = printable(file.absoluteURL.standardizedFileURL.path, 4096)
    let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || "/._-+,:@%".contains($0) }
    word = isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
  }

  var description: String {
    "auricle run \(word) --recover goes on with it, --discard-recovery throws it away"
  }
}

extension JackSession {
  /// Has changes that are not saved written, when it is time: beside what commands have begun,
  /// which may wait for a file.
  func keepChanges() {
    guard let recovery = options.recovery, recovery.isDue(history) else { return }
    // Of one moment: units change on this thread.
    let (units, origin) = (editor.units, store.origin)
    // A disk may take long, and the session runs on one of few threads.
    DispatchQueue.global(qos: .utility).async { [store, history] in
      recovery.keep(store, history, units, origin)
    }
  }

  /// Ends rendering as `stop` does, and then keeps what is not saved, and says where: behind what
  /// commands have begun, which is waited for only a moment.
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
