// A client of a session's socket, for tests.

import ControlSocket
import Foundation
import Remotes
import SessionModel

/// A client that waits for its answers on threads of its own, one request at a time.
public final class SocketClient: Sendable {
  private nonisolated(unsafe) let client: ControlClient

  /// - Throws: that there is no such session.
  public init(session: String, in folder: ControlFolder) throws {
    client = try ControlClient(session: session, in: folder)
  }

  /// What a command is answered.
  ///
  /// - Throws: `SessionCommandError` where it is refused.
  @discardableResult
  public func ask(_ command: SessionCommand) async throws -> SessionAnswer {
    try await withCheckedThrowingContinuation { done in
      Thread.detachNewThread { [self] in
        done.resume(
          with: Result {
            try client.send(SessionWire.encode(command))
            return try SessionWire.answer(client.nextLine())
          })
      }
    }
  }
}
