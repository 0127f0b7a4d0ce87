// The folder of the sockets of a user's sessions.

import CLocalSocket
import Foundation

/// `$XDG_RUNTIME_DIR/auricle`, or `/tmp/auricle-UID` where that is not set to an absolute path.
///
/// It is the user's alone: one that belongs to somebody else is refused, and others may not look
/// into it.
public struct ControlFolder: Sendable, Hashable {
  /// - Thread: [any]
  public let path: String

  static let suffix = ".sock"

  /// - Thread: [any]
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
      path = runtime + (runtime.hasSuffix("/") ? "" : "/") + "auricle"
    } else {
      path = "/tmp/auricle-\(geteuid())"
    }
  }

  /// The names of the sessions that run, in order: those whose sockets somebody listens to.
  ///
  /// - Throws: `ControlError`, also for a folder that is somebody else's.
  /// - Thread: [control]
  public func sessions() throws(ControlError) -> [String] {
    guard let folder = try open(isMade: false) else { return [] }
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return entries.filter { $0.hasSuffix(Self.suffix) }
      .map { String($0.dropLast(Self.suffix.count)) }
      .filter { folder.isAnswered($0) }.sorted()
  }

  /// Opens the folder.
  ///
  /// - Parameter isMade: whether it is made where it is not there.
  /// - Returns: nil where it is not there and not made.
  func open(isMade: Bool) throws(ControlError) -> OpenControlFolder? {
    if isMade && mkdir(path, 0o700) != 0 && errno != EEXIST {
      throw .folder(path: path, reason: "cannot be made: \(ControlError.reason)")
    }
    // opens: the folder of the sockets, which is no file
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT && !isMade { return nil }
      throw .folder(path: path, reason: "cannot be opened: \(ControlError.reason)")
    }
    let folder = OpenControlFolder(descriptor: descriptor)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid() else {
      throw .foreignFolder(path: path)
    }
    if status.st_mode & 0o777 != 0o700 && fchmod(descriptor, 0o700) != 0 {
      throw .folder(path: path, reason: "cannot be closed to others: \(ControlError.reason)")
    }
    return folder
  }
}

/// The folder as it was checked, whatever its path leads to later.
final class OpenControlFolder: Sendable {
  let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// A path of a socket, short enough for an address whatever the folder's own path is.
  func path(of session: String) -> String {
    "/proc/self/fd/\(descriptor)/\(session)\(ControlFolder.suffix)"
  }

  /// A connection to a session; nil, with `errno`, where nobody listens.
  func connect(to session: String, isNonblocking: Bool) -> Int32? {
    let socket = localSocketMake(isNonblocking ? 1 : 0)
    guard socket >= 0 else { return nil }
    var patience = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    if localSocketConnect(socket, path(of: session)) == 0 { return socket }
    let error = errno
    close(socket)
    errno = error
    return nil
  }

  /// Whether a process listens there: one that is too busy to take us in does.
  func isAnswered(_ session: String) -> Bool {
    guard let socket = connect(to: session, isNonblocking: true) else { return errno == EAGAIN }
    close(socket)
    return true
  }
}
