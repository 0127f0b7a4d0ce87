// Listeners.

import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A port that is listened to. It accepts nobody before it has a service.
struct Listener: Sendable {
  let address: ListeningAddress
  let channel: any Channel
  private let state: NIOLoopBoundBox<ListenerState?>

  /// - Parameters:
  ///   - wanted: the address; nil for a random one on loopback.
  ///   - port: the port; nil for a free one.
  /// - Throws: `WebServerError.address`, `listening`.
  init(
    _ wanted: String?, port: Int?, names: [String], on group: MultiThreadedEventLoopGroup
  ) throws(WebServerError) {
    let state = NIOLoopBoundBox<ListenerState?>.makeEmptyBox(eventLoop: group.next())
    self.state = state
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 128)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.autoRead, value: false)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let state = state.value else { throw ChannelError.eof }
          try Self.begin(channel, state)
        }
      }
    // A random port may be taken at one address and free at another.
    for attempt in 1...8 {
      let address = try ListeningAddress(wanted, hasNames: !names.isEmpty)
      do {
        channel = try bootstrap.bind(host: address.host, port: port ?? 0).wait()
        self.address = address
        return
      } catch {
        if attempt < 8 && wanted == nil { continue }
        throw .listening(
          address: "\(address.urlHost):\(port ?? 0)", reason: Self.reason(of: error))
      }
    }
    throw .listening(address: "loopback", reason: "no address is free")
  }

  var port: Int { channel.localAddress?.port ?? 0 }

  /// Returns the address without a path: `http://127.83.2.9:40123`.
  func url(names: [String]) -> String {
    "http://\(address.isWildcard ? names[0] : address.urlHost):\(port)"
  }

  /// Accepts connections.
  /// - Parameter make: makes their state, on the event loop.
  func start(_ make: @escaping @Sendable () -> ListenerState) throws {
    try state.eventLoop.submit { state.value = make() }.wait()
    try channel.setOption(.autoRead, value: true).wait()
  }

  private static func reason(of error: any Error) -> String {
    guard let error = error as? IOError else { return "\(error)" }
    return String(cString: strerror(error.errnoCode))
  }

  /// Sets up a connection that was accepted.
  /// - Throws: if there are too many; it is closed then.
  private static func begin(_ channel: any Channel, _ state: ListenerState) throws {
    guard state.connectionCount < state.limits.connections else { throw ChannelError.eof }
    state.connectionCount += 1
    let bound = NIOLoopBound(state, eventLoop: channel.eventLoop)
    channel.closeFuture.whenComplete { _ in
      bound.value.connectionCount -= 1
      bound.value.upgrades[ObjectIdentifier(channel)] = nil
    }
    try channel.pipeline.syncOperations.addHTTPHandlers(state, channel)
  }
}
