// The OSC server, on its own thread.

import CLocalSocket
import CNetworkSocket
import Dispatch
import Glibc
import Platform
import Synchronization

/// A server that receives packets over UDP and TCP, and sends messages to their senders.
///
/// It uses liblo's messages but not its servers. Those listen on all addresses of the machine and
/// wait for peers that do not read. Here nothing waits for a peer: sockets are nonblocking, and all
/// buffers are bounded.
public final class OSCServer: Sendable {
  public enum Transport: String, Sendable, CaseIterable { case udp, tcp }

  /// Callbacks, called on the server's thread, which they must not block.
  public struct Handler: Sendable {
    /// A packet was received.
    public var packet: @Sendable (OSCPacket, OSCPeer) -> Void
    /// Received data is not a packet, or a connection was refused because there are too many.
    public var fault: @Sendable (OSCFault, OSCPeer) -> Void
    /// A connection has ended.
    public var end: @Sendable (OSCPeer) -> Void

    public init(
      packet: @escaping @Sendable (OSCPacket, OSCPeer) -> Void,
      fault: @escaping @Sendable (OSCFault, OSCPeer) -> Void,
      end: @escaping @Sendable (OSCPeer) -> Void
    ) {
      (self.packet, self.fault, self.end) = (packet, fault, end)
    }
  }

  /// The most TCP connections at a time.
  public static let maximumConnections = 16

  /// The listening address, with the actual port.
  public let place: OSCEndpoint
  public let transports: Set<Transport>

  /// Sockets by transport; -1 if not used.
  let datagrams: Int32
  let listener: Int32
  let waker: Int32
  let handler: Handler
  let connections = Mutex<[Int: OSCConnection]>([:])
  let isClosing = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)
  private let isClosed = Mutex(false)

  /// Opens the sockets and starts the thread.
  ///
  /// - Parameter place: its port 0 chooses a free port, the same for both transports.
  /// - Throws: `OSCError`
  /// - Thread: [control]
  public init(
    at place: OSCEndpoint, over transports: Set<Transport>, handler: Handler
  ) throws(OSCError) {
    var sockets = try OSCSockets(at: place, over: transports)
    (datagrams, listener, self.place) = (sockets.datagrams, sockets.listener, sockets.place)
    self.transports = transports
    self.handler = handler
    waker = localSocketWaker()
    guard waker >= 0 else {
      let reason = OSCSockets.reason
      sockets.close()
      throw .refused(place: "\(place)", transport: "OSC", reason: reason)
    }
    startThread("OSC") { [self] in
      serve()
      hasEnded.signal()
    }
  }

  deinit { Glibc.close(waker) }

  /// Sends a message without waiting.
  ///
  /// - Returns: whether it was sent or, over TCP, queued.
  /// - Thread: [any]
  public func send(_ message: OSCMessage, to peer: OSCPeer) -> Bool {
    let bytes = message.bytes
    if let number = peer.connection {
      guard let connection = connections.withLock({ $0[number] }) else { return false }
      let isTaken = connection.post(bytes)
      localSocketWake(waker)
      return isTaken
    }
    var address = peer.place.system
    // The socket is closed only after all sends have ended.
    return isClosed.withLock { isClosed in
      !isClosed && datagrams >= 0
        && networkSocketSend(datagrams, bytes, bytes.count, &address) == bytes.count
    }
  }

  /// Ends all connections and stops listening.
  /// - Thread: [control]
  public func close() {
    let isFirst = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    if !isFirst { return }
    isClosing.store(true, ordering: .releasing)
    localSocketWake(waker)
    hasEnded.wait()
    if datagrams >= 0 { Glibc.close(datagrams) }
    if listener >= 0 { Glibc.close(listener) }
  }
}
