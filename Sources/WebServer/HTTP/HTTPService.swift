// The parts of a listener, whatever it serves.

import NIOCore
import NIOHTTP1

/// Answers to the requests of a listener. Used on the event loop only.
protocol HTTPService: AnyObject {
  /// Checks the head of a request.
  func judge(_ head: HTTPRequestHead) -> RequestVerdict
  /// Begins to serve a WebSocket.
  func open(_ access: Access, _ output: SocketOutput) -> any SocketService
}

/// Messages of a WebSocket. Used on the event loop only.
protocol SocketService: AnyObject {
  /// Whether binary messages are accepted.
  var takesBinary: Bool { get }
  /// Takes a message.
  /// - Returns: false for one that the protocol does not have.
  func take(_ message: [UInt8], isBinary: Bool) -> Bool
  /// Continues to send: the client has taken enough of the earlier messages.
  func resume()
  /// Ends it.
  func close()
}

/// The sending direction of a WebSocket.
struct SocketOutput {
  let loop: any EventLoop
  let send: (_ message: [UInt8], _ isBinary: Bool) -> Void
  /// Returns whether the client takes what was sent.
  let isWritable: () -> Bool
}

/// The connections of a listener. Used on the event loop only.
final class ListenerState {
  let limits: WebLimits
  let service: any HTTPService
  /// The number of open connections.
  var connectionCount = 0
  /// The number of open WebSockets.
  var socketCount = 0
  /// The access of connections that are becoming WebSockets.
  var upgrades: [ObjectIdentifier: Access] = [:]

  init(_ service: any HTTPService, _ limits: WebLimits) {
    (self.service, self.limits) = (service, limits)
  }
}
