// Listens for packets on a thread of its own.

import CLocalSocket
import CNetworkSocket
import Dispatch
import Foundation
import Synchronization

/// Takes packets over UDP and TCP, and sends messages to those who sent some.
///
/// Only liblo's messages are used, not its servers: these listen on all addresses of the machine,
/// and wait for those who do not read. Here nothing waits for anybody: sockets do not block, and
/// all that is kept is bounded.
public final class OSCServer: Sendable {
  public enum Transport: String, Sendable, CaseIterable { case udp, tcp }

  /// Told on the thread of the server, which it must not hold up.
  public struct Handler: Sendable {
    /// A packet has come.
    public var packet: @Sendable (OSCPacket, OSCPeer) -> Void
    /// What came is no packet, or there was no room for who brought it.
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

  /// TCP connections at a time.
  public static let maximumConnections = 16

  /// Where it listens, with the port that it has got.
  public let place: OSCEndpoint
  public let transports: Set<Transport>

  /// -1 where it does not listen so.
  let datagrams: Int32
  let listener: Int32
  let waker: Int32
  let handler: Handler
  let connections = Mutex<[Int: OSCConnection]>([:])
  let isClosing = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)
  private let isClosed = Mutex(false)

  /// Listens.
  ///
  /// - Parameter place: port 0 is any that is free, the same for both transports.
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
    let thread = Thread { [self] in
      serve()
      hasEnded.signal()
    }
    thread.name = "OSC"
    thread.start()
  }

  deinit { Glibc.close(waker) }

  /// Sends a message, if its way is free.
  ///
  /// - Returns: whether it is on its way.
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
    // The socket is closed only once nobody sends any more.
    return isClosed.withLock { isClosed in
      !isClosed && datagrams >= 0
        && networkSocketSend(datagrams, bytes, bytes.count, &address) == bytes.count
    }
  }

  /// Ends all connections and listens no more.
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
