// The local socket of a running session.

import Configuration
public import ControlSocket
import Glibc
import Logging
import Session
import SessionModel
import Synchronization

/// Receives commands from other processes of the same user, for the running session to execute.
public final class SessionSocket: SessionRemote {
  private let server: ControlServer
  package let requests: SessionDoor<SessionRequest>?

  /// Listens under a session's name, made unique among the running ones.
  /// - Throws: `ControlError` if the socket cannot be made.
  /// - Thread: [control]
  public init(name: String, in folder: ControlFolder = ControlFolder()) throws(ControlError) {
    let requests = SessionDoor<SessionRequest>()
    self.requests = requests
    let holders = Holders(requests: requests)
    server = try ControlServer(
      name: name, in: folder,
      refusal: { SessionWire.encode(.failure(SessionCommandError($0))) },
      handler: { line, peer in
        do throws(SessionCommandError) {
          let command = try SessionWire.command(line)
          if case .hello(let name) = command {
            if let name { peer.name = try Self.checked(name) }
            return peer.answer(SessionWire.encode(.success(.hello(.current))))
          }
          var held: ClientHold?
          switch command {
          case .midi, .gesture: held = holders.held(by: peer)
          default: break
          }
          let midi = MIDIBacklog()
          requests.post(
            SessionRequest(
              command: command, answer: { peer.answer(SessionWire.encode($0)) },
              notify: { notice in
                guard case .midi(let reading) = notice else {
                  return peer.post(SessionWire.encode(notice), about: notice.subject)
                }
                midi.add(reading)
                peer.post(about: notice.subject) {
                  midi.take().map { SessionWire.encode(.midi($0)) }
                }
              },
              whenGone: { peer.whenGone($0) }, whenAbandoned: { peer.whenAbandoned($0) },
              held: held, author: ChangeAuthor(.ctl, client: peer.name)))
        } catch {
          peer.answer(SessionWire.encode(.failure(error)))
        }
      })
  }

  /// The maximum length of a client's name, in Unicode scalars.
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

  /// Listens under a session's name, for `auricle ctl`. The session plays without the socket, too.
  /// - Returns: the socket; nil if it cannot be made, which is logged.
  /// - Thread: [control]
  package static func listening(
    as name: String, in folder: ControlFolder = ControlFolder(), _ log: Logger
  ) -> SessionSocket? {
    do throws(ControlError) {
      let socket = try SessionSocket(name: name, in: folder)
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

  /// The name that `auricle ctl` uses for the session.
  public var name: String { server.name }

  /// The socket's file.
  public var path: String { server.path }

  /// Removes the socket.
  /// - Thread: [control]
  public func close() { server.close() }
}

/// The clients that hold keys, pedals or parameters.
private final class Holders: Sendable {
  private let requests: SessionDoor<SessionRequest>
  private let held = Mutex<[ObjectIdentifier: ClientHold]>([:])

  init(requests: SessionDoor<SessionRequest>) { self.requests = requests }

  func held(by peer: ControlPeer) -> ClientHold {
    let id = ObjectIdentifier(peer)
    if let known = held.withLock({ $0[id] }) { return known }
    let new = ClientHold { [requests] command, author in
      requests.post(
        SessionRequest(command: command, answer: { _ in }, author: author, isLogged: false))
    }
    held.withLock { $0[id] = new }
    peer.whenDisconnected { [weak self] in
      _ = self?.held.withLock { $0.removeValue(forKey: id) }
      new.end()
    }
    return new
  }
}
