// Why a session cannot be reached, or cannot be made reachable.

import Foundation

/// What went wrong with the socket of a session.
public enum ControlError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The folder cannot be made or opened.
  case folder(path: String, reason: String)
  /// The folder is somebody else's: what lies in it cannot be trusted.
  case foreignFolder(path: String)
  /// The socket cannot be made.
  case socket(path: String, reason: String)
  /// No session runs that could be meant.
  case noSession(folder: String)
  case unknownSession(String, known: [String])
  /// Which one is meant has to be said.
  case severalSessions([String])
  /// Somebody else's process has the socket.
  case foreignSession(String)
  /// The session ended, or closed the connection.
  case ended(session: String)
  /// The session takes longer than it should for anything.
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

  /// What the system said last.
  static var reason: String { String(cString: strerror(errno)) }
}
