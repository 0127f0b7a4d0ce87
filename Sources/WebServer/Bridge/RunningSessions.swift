// The sessions that run.

import ControlSocket
import Glibc
import NIOCore

/// The names of the running sessions. Used on the event loop only.
final class RunningSessions {
  private let folder: ControlFolder
  /// Called when the names have changed.
  var changed: () -> Void = {}
  private(set) var names: [String] = []
  private var stamp: timespec?

  init(_ folder: ControlFolder) {
    self.folder = folder
    look()
  }

  /// Looks for sessions.
  func look() {
    stamp = currentStamp()
    let found = (try? folder.sessions()) ?? []
    if found == names { return }
    names = found
    changed()
  }

  /// Looks for sessions if the folder has changed since: a socket was made or removed.
  func lookIfChanged() {
    let now = currentStamp()
    if now?.tv_sec != stamp?.tv_sec || now?.tv_nsec != stamp?.tv_nsec { look() }
  }

  private func currentStamp() -> timespec? {
    var status = stat()
    return stat(folder.path, &status) == 0 ? status.st_mtim : nil
  }
}
