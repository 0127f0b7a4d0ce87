// The local socket of a running session.

public import ControlSocket
import Foundation

/// Takes commands from other processes of the same user. A session that runs carries them out.
public final class SessionSocket: Sendable {
  private let server: ControlServer
  let requests: AsyncStream<SessionRequest>

  /// Listens as a session's name, made unique among those that run.
  /// - Throws: `ControlError` where there can be no socket.
  /// - Thread: [control]
  public init(name: String, in folder: ControlFolder = ControlFolder()) throws(ControlError) {
    let (requests, continuation) = AsyncStream<SessionRequest>.makeStream()
    self.requests = requests
    server = try ControlServer(
      name: name, in: folder,
      refusal: { SessionLine.encode(.failure(SessionCommandError($0))) },
      handler: { line, peer in
        do throws(SessionCommandError) {
          let command = try SessionLine.command(line)
          continuation.yield(
            SessionRequest(
              command: command, answer: { peer.answer(SessionLine.encode($0)) },
              tell: { peer.post(SessionLine.encode($0), about: $0.path) },
              whenGone: { peer.whenGone($0) }, whenAbandoned: { peer.whenAbandoned($0) }))
        } catch {
          peer.answer(SessionLine.encode(.failure(error)))
        }
      })
  }

  /// The name by which `auricle ctl` finds the session.
  public var name: String { server.name }

  /// The socket's file.
  public var path: String { server.path }

  /// Removes the socket.
  /// - Thread: [control]
  public func close() { server.close() }
}
