// The UDP connection to a session manager.

import Configuration
import Glibc
import OSC
import Session

/// Sends messages to a session manager's server and receives its messages, on one UDP socket:
/// servers identify their clients by the endpoints that they send from.
package final class NSMLink: Sendable {
  /// The server's URL.
  let url: OSCURL
  /// Messages from the server, in order, for one consumer.
  let messages: AsyncStream<NSMServerMessage>
  /// Whether the server's port was in use when the link was made.
  let wasPortListenedAt: Bool
  private let place: OSCEndpoint
  private let server: OSCServer
  private let newMessage: AsyncStream<NSMServerMessage>.Continuation
  private let life = NSMServerLife()

  /// The maximum number of waiting messages. A server has one request under way at a time.
  private static let capacity = 256

  /// - Parameter text: the value of NSM_URL.
  /// - Throws: `failed`, with the remedy.
  /// - Thread: [control]
  package init(_ text: String) throws(SessionError) {
    let remedy = "--no-nsm runs a session without a session manager"
    guard let url = OSCURL(text) else {
      throw .failed(
        "NSM_URL is \(quoted(text)), which is no address of a session manager; accepted: "
          + "osc.udp://HOST:PORT/; \(remedy)")
    }
    guard url.transport == .udp else {
      throw .failed("NSM_URL is \(url), and session managers are heard by UDP alone; \(remedy)")
    }
    guard let place = url.places.first, let own = place.ownPlace else {
      throw .failed("NSM_URL is \(url), and no way leads to \(quoted(url.host)); \(remedy)")
    }
    let isListenedAt = OSCEndpoint.isListenedAt(udpPort: place.port)
    if place.isLoopback, isListenedAt == false {
      throw .failed("there is no session manager at \(url), where NSM_URL leads; \(remedy)")
    }
    self.url = url
    self.place = place
    wasPortListenedAt = isListenedAt ?? false
    let (messages, continuation) = AsyncStream<NSMServerMessage>.makeStream(
      bufferingPolicy: .bufferingOldest(Self.capacity))
    (self.messages, newMessage) = (messages, continuation)
    do throws(OSCError) {
      server = try OSCServer(
        at: own, over: [.udp],
        handler: OSCServer.Handler(
          packet: { [life] packet, peer in
            guard Self.isServer(peer.place, at: place, own) else { return }
            for item in packet.items {
              life.take(item.message)
              guard let message = NSMServerMessage(item.message) else { continue }
              continuation.yield(message)
            }
          }, fault: { _, _ in }, end: { _ in }))
    } catch { throw .failed("\(error)") }
  }

  /// Whether a sender is the server. A server on this machine may answer from another of its
  /// addresses than the one it was reached by.
  static func isServer(_ sender: OSCEndpoint, at server: OSCEndpoint, _ own: OSCEndpoint) -> Bool {
    if sender == server { return true }
    let isOfThisMachine = server.isLoopback || server.hasAddress(of: own)
    return isOfThisMachine && sender.port == server.port
      && (sender.isLoopback || sender.hasAddress(of: own))
  }

  /// - Returns: whether the message was sent.
  /// - Thread: [any]
  @discardableResult
  func send(_ message: NSMClientMessage) -> Bool {
    server.send(message.osc, to: OSCPeer(at: place))
  }

  /// Whether the server's port is in use; nil if this machine cannot know.
  var isPortListenedAt: Bool? { OSCEndpoint.isListenedAt(udpPort: place.port) }

  /// The time since the server's last message; nil if it has never answered a ping.
  var silence: Duration? { life.silence }

  /// - Thread: [control]
  func close() {
    server.close()
    newMessage.finish()
  }
}
