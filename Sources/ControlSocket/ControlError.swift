// Errors of session sockets.

import Glibc

/// An error of opening or reaching the socket of a session.
public enum ControlError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The folder cannot be made or opened.
  case folder(path: String, reason: String)
  /// The folder belongs to another user: its contents cannot be trusted.
  case foreignFolder(path: String)
  /// The socket cannot be made.
  case socket(path: String, reason: String)
  /// No session is running.
  case noSession(folder: String)
  case unknownSession(String, known: [String])
  /// Several sessions are running, and the client has not named one.
  case severalSessions([String])
  /// The socket belongs to another user's process.
  case foreignSession(String)
  /// The session ended, or closed the connection.
  case ended(session: String)
  /// The session has not answered within the time limit.
  case noAnswer(session: String, seconds: Int)

  public var description: String {
    switch self {
    case .folder(let path, let reason): "\(path): \(reason)"
    case .foreignFolder(let path):
      "\(path) belongs to another user; remove it, or set XDG_RUNTIME_DIR to a folder of yours"
    case .socket(let path, let reason): "\(path): \(reason)"
    case .noSession(let folder):
      "no session runs that could be reached in \(folder); start one: auricle run"
    case .unknownSession(let name, let known):
      "no session '\(name)' runs; there "
        + (known.isEmpty
          ? "is none" : known.count == 1 ? "is \(known[0])" : "are \(Self.list(known))")
    case .severalSessions(let names):
      "several sessions run; name one by --client: \(Self.list(names))"
    case .foreignSession(let name): "the session '\(name)' belongs to another user"
    case .ended(let name): "the session '\(name)' has ended"
    case .noAnswer(let name, let seconds):
      "the session '\(name)' has not answered within \(seconds) seconds; is it stopped?"
    }
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

  /// The system's last error, as text.
  static var reason: String { String(cString: strerror(errno)) }
}
