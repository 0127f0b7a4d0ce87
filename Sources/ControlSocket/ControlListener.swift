// The listening socket of a session, and its file.

import CLocalSocket
import Glibc

/// A socket that listens in a user's folder of sessions.
final class ControlListener: Sendable {
  let descriptor: Int32
  /// The session's name, unique among running sessions.
  let name: String
  let path: String
  private let folder: OpenControlFolder
  /// Identity of the socket's file, to detect that another file replaced it.
  private let file: (device: dev_t, number: ino_t)

  /// - Throws: `folder`, `foreignFolder`, `socket`.
  init(name wanted: String, in location: ControlFolder) throws(ControlError) {
    guard let folder = try location.open(isMade: true) else {
      throw .folder(path: location.path, reason: "is gone")
    }
    self.folder = folder
    // Two sessions that start at once must not take each other's socket for an abandoned one.
    let lock = try Self.lock(folder, location)
    defer { close(lock) }
    descriptor = localSocketMake(1)
    let stem = wanted.replacing("/", with: "_")
    guard descriptor >= 0, let name = Self.bind(descriptor, stem, in: folder),
      listen(descriptor, 16) == 0
    else {
      let reason = ControlError.reason
      if descriptor >= 0 { close(descriptor) }
      throw .socket(path: "\(location.path)/\(stem)\(ControlFolder.suffix)", reason: reason)
    }
    self.name = name
    path = "\(location.path)/\(name)\(ControlFolder.suffix)"
    var status = stat()
    fstatat(folder.descriptor, name + ControlFolder.suffix, &status, AT_SYMLINK_NOFOLLOW)
    file = (status.st_dev, status.st_ino)
  }

  deinit { close(descriptor) }

  /// Removes the socket's file, so that clients no longer find the session.
  func remove() {
    var status = stat()
    let entry = name + ControlFolder.suffix
    guard fstatat(folder.descriptor, entry, &status, AT_SYMLINK_NOFOLLOW) == 0,
      (status.st_dev, status.st_ino) == file
    else { return }
    unlinkat(folder.descriptor, entry, 0)
  }

  /// Accepts a client of the same user.
  ///
  /// - Returns: the client's descriptor; -1 for another user's client; nil, with `errno`, if none.
  func accept() -> Int32? {
    let client = localSocketAccept(descriptor)
    if client < 0 { return nil }
    if localSocketPeerUser(client) == Int64(geteuid()) { return client }
    close(client)
    return -1
  }

  private static func lock(
    _ folder: OpenControlFolder, _ location: ControlFolder
  ) throws(ControlError) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    // opens: within a folder that is open, without waiting
    let lock = openat(folder.descriptor, ".lock", flags, 0o600)
    guard lock >= 0 else { throw .socket(path: location.path, reason: ControlError.reason) }
    // Held only briefly, unless a process was stopped while holding it. Retries for two seconds.
    for _ in 0..<200 {
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { return lock }
      usleep(10_000)
    }
    close(lock)
    throw .socket(path: location.path, reason: "another session that starts here does not go on")
  }

  /// Binds the socket to a name that no session has, numbered as in JACK: NAME, NAME-01, …
  private static func bind(
    _ socket: Int32, _ stem: String, in folder: OpenControlFolder
  ) -> String? {
    for number in 0..<100 {
      let name = number == 0 ? stem : stem + (number < 10 ? "-0" : "-") + "\(number)"
      if localSocketBind(socket, folder.path(of: name)) == 0 { return name }
      guard errno == EADDRINUSE else { return nil }
      if folder.isAnswered(name) { continue }
      // The socket of a process that was killed.
      unlinkat(folder.descriptor, name + ControlFolder.suffix, 0)
      if localSocketBind(socket, folder.path(of: name)) == 0 { return name }
    }
    return nil
  }
}
