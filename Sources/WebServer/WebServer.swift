// The server for browsers.

import ControlSocket
import NIOCore
import NIOPosix
import Synchronization

/// A server that shows the user's sessions to browsers, and one of them by OSCQuery, on an event
/// loop of its own. It reaches sessions as other clients of their sockets do.
public final class WebServer: Sendable {
  /// The address without a path: `http://127.83.2.9:40123`.
  public let address: String
  /// The port that it listens to.
  public let port: Int
  /// The address of OSCQuery; nil without it.
  public let oscQueryAddress: String?
  private let group: MultiThreadedEventLoopGroup
  private let listeners: [Listener]
  let oscQuery: NIOLoopBound<OSCQueryService>?
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
    do throws(WebServerError) {
      let page = try Listener(
        options.address, port: options.port, names: options.hosts, on: group)
      address = page.url(names: options.hosts)
      port = page.port
      let query = try options.oscQuery.map { query throws(WebServerError) in
        let address = options.address ?? "127.0.0.1"
        let names = options.hosts
        return (query, try Listener(address, port: query.port, names: names, on: group))
      }
      oscQueryAddress = query?.1.url(names: options.hosts)
      listeners = [page] + (query.map { [$0.1] } ?? [])
      let loop = group.next()
      do {
        try page.start { ServerState.listening(page, key, options, loop) }
        oscQuery = try query.map { try OSCQueryService.start($1, $0, options, loop) }
      } catch { throw .listening(address: address, reason: "\(error)") }
      try file.write(key, address: address)
    } catch {
      try? group.syncShutdownGracefully()
      file.remove()
      throw error
    }
  }

  /// The event loop.
  var loop: any EventLoop { group.next() }

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

  /// Returns a code of eight digits, as short as a tablet's user can type. The same one is returned
  /// for half a minute. Nil if only this machine reaches the server.
  /// - Thread: [any]
  public func pairingCode(_ access: Access = .member) -> PairingCode? {
    PairingCode(access, key, address: address)
  }

  /// Returns such a code of the server that another process of the user runs.
  ///
  /// - Throws: `WebServerError.notRunning`
  /// - Thread: [control]
  public static func pairingCode(
    _ access: Access = .member, in folder: ControlFolder = ControlFolder()
  ) throws(WebServerError) -> PairingCode? {
    guard let (address, key) = AccessFile.read(in: folder) else { throw .notRunning }
    return PairingCode(access, key, address: address)
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
    for listener in listeners { try? listener.channel.close().wait() }
    if let oscQuery { try? loop.submit { oscQuery.value.close() }.wait() }
    try? group.syncShutdownGracefully()
  }
}
