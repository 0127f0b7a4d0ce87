// The server for browsers.

import ControlSocket
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

/// A server that shows the user's sessions to browsers, on an event loop of its own. It reaches
/// sessions as other clients of their sockets do.
public final class WebServer: Sendable {
  /// The address without a path: `http://127.83.2.9:40123`.
  public let address: String
  /// The port that it listens to.
  public let port: Int
  private let group: MultiThreadedEventLoopGroup
  private let listener: any Channel
  private let file: AccessFile
  private let key: AccessKey
  private let isClosed = Mutex(false)

  /// Starts the server.
  ///
  /// - Throws: `WebServerError`
  /// - Thread: [control]
  public init(_ options: WebOptions) throws(WebServerError) {
    if let wrong = options.hosts.first(where: { !ListeningAddress.isName($0) }) {
      throw .host(wrong)
    }
    let file = try AccessFile(in: options.folder)
    self.file = file
    let key = AccessKey()
    self.key = key
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    self.group = group
    let loop = group.next()
    do throws(WebServerError) {
      let box = NIOLoopBoundBox<ServerState?>.makeEmptyBox(eventLoop: loop)
      let (listening, channel) = try Self.listen(options, group, box)
      listener = channel
      port = channel.localAddress?.port ?? 0
      let host = listening.isWildcard ? options.hosts[0] : listening.urlHost
      address = "http://\(host):\(port)"
      let port = port
      // The listener accepts nobody before its gate knows the port.
      do {
        try loop.submit {
          let gate = RequestGate(key, listening, port: port, names: options.hosts)
          box.value = ServerState(gate, limits: options.limits, folder: options.folder)
        }.wait()
        let second = TimeAmount.seconds(1)
        loop.scheduleRepeatedTask(initialDelay: second, delay: second) { _ in
          if let state = box.value, !state.bridges.isEmpty { state.sessions.lookIfChanged() }
        }
        try channel.setOption(.autoRead, value: true).wait()
      } catch { throw .listening(address: address, reason: "\(error)") }
      try file.write(key, address: address)
    } catch {
      try? group.syncShutdownGracefully()
      file.remove()
      throw error
    }
  }

  private static func listen(
    _ options: WebOptions, _ group: MultiThreadedEventLoopGroup,
    _ state: NIOLoopBoundBox<ServerState?>
  ) throws(WebServerError) -> (ListeningAddress, any Channel) {
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 128)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.autoRead, value: false)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let state = state.value else { throw ChannelError.eof }
          try begin(channel, state)
        }
      }
    // A random port may be taken at one address and free at another.
    for attempt in 1...8 {
      let address = try ListeningAddress(options.address, hasNames: !options.hosts.isEmpty)
      do {
        let channel = try bootstrap.bind(host: address.host, port: options.port ?? 0).wait()
        return (address, channel)
      } catch {
        if attempt < 8 && options.address == nil { continue }
        throw .listening(
          address: "\(address.urlHost):\(options.port ?? 0)", reason: reason(of: error))
      }
    }
    throw .listening(address: "loopback", reason: "no address is free")
  }

  private static func reason(of error: any Error) -> String {
    guard let error = error as? IOError else { return "\(error)" }
    return String(cString: strerror(error.errnoCode))
  }

  /// Sets up a connection that was accepted.
  /// - Throws: if there are too many; it is closed then.
  private static func begin(_ channel: any Channel, _ state: ServerState) throws {
    guard state.connectionCount < state.limits.connections else { throw ChannelError.eof }
    state.connectionCount += 1
    let bound = NIOLoopBound(state, eventLoop: channel.eventLoop)
    channel.closeFuture.whenComplete { _ in
      bound.value.connectionCount -= 1
      bound.value.upgrades[ObjectIdentifier(channel)] = nil
    }
    try channel.pipeline.syncOperations.addHTTPHandlers(state, channel)
  }

  /// Returns an address that opens the page once, within five minutes.
  /// - Thread: [any]
  public func link(_ access: Access = .member) -> String {
    Self.link(address, key, access)
  }

  /// Returns such an address of the server that another process of the user runs.
  ///
  /// - Throws: `WebServerError.notRunning`
  /// - Thread: [control]
  public static func link(
    _ access: Access = .member, in folder: ControlFolder = ControlFolder()
  ) throws(WebServerError) -> String {
    guard let (address, key) = AccessFile.read(in: folder) else { throw .notRunning }
    return link(address, key, access)
  }

  private static func link(_ address: String, _ key: AccessKey, _ access: Access) -> String {
    "\(address)/?code=\(AccessCode.make(access, key))"
  }

  /// Closes all connections and ends the event loop. A second call does nothing.
  /// - Thread: [control]
  public func close() {
    let isFirst = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    if !isFirst { return }
    file.remove()
    try? listener.close().wait()
    try? group.syncShutdownGracefully()
  }
}
