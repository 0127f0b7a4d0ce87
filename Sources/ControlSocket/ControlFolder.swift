// The folder of session sockets of a user.

import CLocalSocket
import FoundationEssentials
import Glibc

/// `$XDG_RUNTIME_DIR/auricle`, or `/tmp/auricle-UID` if that variable is not an absolute path.
///
/// Only its user has access: another user's folder is refused, and permissions are set to 0700.
public struct ControlFolder: Sendable, Hashable {
  /// The folder's path.
  ///
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

  /// Returns the names of running sessions, sorted: those whose sockets have a listener.
  ///
  /// - Throws: `ControlError`, also for a folder of another user.
  /// - Thread: [control]
  public func sessions() throws(ControlError) -> [String] {
    guard let folder = try open(isMade: false) else { return [] }
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return entries.filter { $0.hasSuffix(Self.suffix) }
      .map { String($0.dropLast(Self.suffix.count)) }
      .filter { folder.isAnswered($0) }.sorted()
  }

  /// Connects to a session, for an event loop.
  ///
  /// - Returns: a nonblocking socket, for the caller to close.
  /// - Throws: `ControlError`
  /// - Thread: [control]
  package func connect(to session: String) throws(ControlError) -> Int32 {
    // A name from outside, which must not lead to another folder.
    guard !session.contains("/"), !session.contains("\0"), let folder = try open(isMade: false)
    else { throw .unknownSession(session, known: try sessions()) }
    guard let socket = folder.connect(to: session, isNonblocking: true) else {
      if errno == EAGAIN { throw .noAnswer(session: session, seconds: 0) }
      throw .unknownSession(session, known: try sessions())
    }
    guard localSocketPeerUser(socket) == Int64(geteuid()) else {
      close(socket)
      throw .foreignSession(session)
    }
    return socket
  }

  /// Makes the folder if it is missing, and checks that it is the user's own.
  ///
  /// - Throws: `ControlError`
  /// - Thread: [control]
  package func make() throws(ControlError) { _ = try open(isMade: true) }

  /// Opens the folder.
  ///
  /// - Parameter isMade: whether to create a missing folder.
  /// - Returns: nil if it is missing and not created.
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

/// The folder that was checked, also if its path changes later.
final class OpenControlFolder: Sendable {
  let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Returns a socket's path, short enough for an address whatever the length of the folder's own
  /// path.
  func path(of session: String) -> String {
    "/proc/self/fd/\(descriptor)/\(session)\(ControlFolder.suffix)"
  }

  /// Connects to a session; nil, with `errno`, if nothing listens.
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

  /// Whether a process listens there, even one too busy to accept.
  func isAnswered(_ session: String) -> Bool {
    guard let socket = connect(to: session, isNonblocking: true) else { return errno == EAGAIN }
    close(socket)
    return true
  }
}
