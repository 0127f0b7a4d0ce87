// A client of a session's socket, for tests.

import ControlSocket
import Foundation
import Remotes
import SessionModel

/// A client that waits for answers on separate threads, one request at a time.
public final class SocketClient: Sendable {
  private nonisolated(unsafe) let client: ControlClient

  /// Connects to a session.
  ///
  /// - Throws: an error if there is no such session.
  public init(session: String, in folder: ControlFolder) throws {
    client = try ControlClient(session: session, in: folder)
  }

  /// Sends a command.
  ///
  /// - Returns: the answer.
  /// - Throws: `SessionCommandError` if the command is refused.
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
