// The local socket of a running session.

import Configuration
public import ControlSocket
import Foundation
import Logging
import Session
import SessionModel

/// Takes commands from other processes of the same user. A session that runs carries them out.
public final class SessionSocket: SessionRemote {
  private let server: ControlServer
  package let requests: SessionDoor<SessionRequest>?

  /// Listens as a session's name, made unique among those that run.
  /// - Throws: `ControlError` where there can be no socket.
  /// - Thread: [control]
  public init(name: String, in folder: ControlFolder = ControlFolder()) throws(ControlError) {
    let requests = SessionDoor<SessionRequest>()
    self.requests = requests
    server = try ControlServer(
      name: name, in: folder,
      refusal: { SessionWire.encode(.failure(SessionCommandError($0))) },
      handler: { line, peer in
        do throws(SessionCommandError) {
          let command = try SessionWire.command(line)
          if case .hello(let name) = command {
            peer.name = try Self.checked(name)
            return peer.answer(SessionWire.encode(.success(.done)))
          }
          requests.post(
            SessionRequest(
              command: command, answer: { peer.answer(SessionWire.encode($0)) },
              tell: { peer.post(SessionWire.encode($0), about: $0.path) },
              whenGone: { peer.whenGone($0) }, whenAbandoned: { peer.whenAbandoned($0) },
              author: ChangeAuthor(.ctl, client: peer.name)))
        } catch {
          peer.answer(SessionWire.encode(.failure(error)))
        }
      })
  }

  /// How long a client's name may be, in characters.
  private static let maximumNameLength = 64

  private static func checked(_ name: String) throws(SessionCommandError) -> String {
    guard printable(name, maximumNameLength) == name, name.contains(where: { !$0.isWhitespace })
    else {
      throw SessionCommandError(
        "\(quoted(name)) cannot be a client's name",
        accepted: "1 to \(maximumNameLength) letters, digits and other visible signs")
    }
    return name
  }

  /// Listens as a session's name, for `auricle ctl`; the session plays without that, too.
  /// - Returns: nil where there can be no socket, which the log tells.
  /// - Thread: [control]
  package static func listening(as name: String, _ log: Logger) -> SessionSocket? {
    do throws(ControlError) {
      let socket = try SessionSocket(name: name)
      log.debug("auricle ctl reaches this session by \(socket.path)")
      if socket.name != name {
        log.notice(
          "another session is called so: auricle ctl --client '\(socket.name)' is for this one")
      }
      return socket
    } catch {
      log.warning("auricle ctl cannot reach this session: \(error)")
      return nil
    }
  }

  /// The name by which `auricle ctl` finds the session.
  public var name: String { server.name }

  /// The socket's file.
  public var path: String { server.path }

  /// Removes the socket.
  /// - Thread: [control]
  public func close() { server.close() }
}
