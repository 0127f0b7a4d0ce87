// Answers of OSCQuery.

import ControlSocket
import NIOCore
import NIOHTTP1
import OSC

/// The address space of a session, for clients of the OSCQuery proposal. It has no secret: whoever
/// reaches its port may read, and write if the options say so. Used on the event loop only.
final class OSCQueryService: HTTPService {
  private let names: HostCheck
  private let folder: ControlFolder
  private let options: OSCQueryOptions
  private let loop: any EventLoop
  private let announcement: Announcement?
  let session: FollowedSession
  /// The open WebSockets.
  var sockets: [ObjectIdentifier: OSCQuerySocket] = [:]
  private(set) var tree: OSCQueryTree
  private var isRebuildPlanned = false
  /// The number of WebSockets so far.
  private var socketNumber = 0
  let limits: WebLimits

  /// Starts to serve a listener, and to look for sessions.
  static func start(
    _ listener: Listener, _ query: OSCQueryOptions, _ options: WebOptions, _ loop: any EventLoop
  ) throws -> NIOLoopBound<OSCQueryService> {
    let service = try loop.submit {
      NIOLoopBound(OSCQueryService(listener, query, options, loop), eventLoop: loop)
    }.wait()
    try listener.start {
      loop.scheduleRepeatedTask(initialDelay: .zero, delay: .seconds(1)) { _ in
        service.value.session.look()
      }
      return ListenerState(service.value, service.value.limits)
    }
    return service
  }

  private init(
    _ listener: Listener, _ query: OSCQueryOptions, _ options: WebOptions, _ loop: any EventLoop
  ) {
    (self.options, self.loop) = (query, loop)
    folder = options.folder
    let isLoopback = OSCEndpoint(address: listener.address.host, port: 0)?.isLoopback == true
    // Nobody else can take these names to lead here.
    let own = isLoopback ? ["localhost"] : Announcement.hostName.map { [$0] } ?? []
    names = HostCheck(
      listener.address, port: listener.port, names: options.hosts, own: own)
    announcement =
      isLoopback ? nil : Announcement(port: listener.port, report: { query.report($0) })
    var limits = options.limits
    // A client may listen to all addresses at once.
    (limits.browsers, limits.messages) = (8, 10_000)
    self.limits = limits
    session = FollowedSession(
      query.session, in: options.folder, loop, report: { query.report($0) })
    tree = OSCQueryTree(session.picture, of: nil, mayWrite: query.mayWrite)
    session.changed = { [weak self] in self?.planRebuild() }
    session.valueChanged = { [weak self] target in
      for socket in self?.sockets.values ?? [:].values { socket.post(target) }
    }
  }

  /// Builds the tree soon: changes often come together.
  private func planRebuild() {
    if isRebuildPlanned { return }
    isRebuildPlanned = true
    loop.assumeIsolated().scheduleTask(in: .milliseconds(limits.tickMilliseconds)) { [weak self] in
      self?.rebuild()
    }
  }

  private func rebuild() {
    guard isRebuildPlanned else { return }
    isRebuildPlanned = false
    let old = tree
    tree = OSCQueryTree(session.picture, of: session.name, mayWrite: options.mayWrite)
    let messages = tree.messages(since: old)
    for socket in sockets.values { socket.post(messages, since: old) }
    announcement?.announce(session.name, udp: udp)
  }

  /// The port of the session's OSC over UDP, if other machines can reach it.
  private var udp: Int? {
    session.picture.osc.lazy.compactMap { OSCURL($0) }.first {
      $0.transport == .udp && OSCEndpoint(address: $0.host, port: 0)?.isLoopback == false
    }?.port
  }

  // MARK: Requests

  func judge(_ head: HTTPRequestHead) -> RequestVerdict {
    if let refusal = names.refusal(head, needsOrigin: false, mayVisit: true) { return refusal }
    if head.headers["upgrade"].contains(where: { $0.lowercased() == "websocket" }) {
      return .upgrade(options.mayWrite ? .member : .guest)
    }
    rebuild()
    var (path, query) = HostCheck.parts(of: head.uri)
    if query == "HOST_INFO" { return serve(hostInfo) }
    if path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    guard tree.nodes[path] != nil else {
      return .refuse(.notFound, "There is no such address.")
    }
    if query.isEmpty { return serve(tree.json(at: path, session.picture)) }
    guard let attribute = OSCQueryNode.Attribute(rawValue: String(query)) else {
      return .refuse(.badRequest, "There is no such attribute.")
    }
    guard let value = tree.attribute(attribute, at: path, session.picture) else {
      return .refuse(.noContent, "")
    }
    return serve(.object([attribute.rawValue: value]))
  }

  private func serve(_ value: JSONValue) -> RequestVerdict {
    .serve(PageFile(type: "application/json", bytes: value.line))
  }

  private var hostInfo: JSONValue {
    let extensions =
      OSCQueryNode.Attribute.optional.map(\.rawValue)
      + ["LISTEN", "PATH_CHANGED", "PATH_ADDED", "PATH_REMOVED"]
    var info: [String: JSONValue] = [
      "NAME": .text(session.name ?? "auricle"),
      "EXTENSIONS": .object(Dictionary(uniqueKeysWithValues: extensions.map { ($0, .bool(true)) })),
    ]
    // UDP comes first in the session's list: most clients have nothing else.
    if let place = session.picture.osc.lazy.compactMap({ OSCURL($0) }).first {
      info["OSC_PORT"] = .integer(Int64(place.port))
      info["OSC_TRANSPORT"] = .text(place.transport == .udp ? "UDP" : "TCP")
      // All addresses of the machine are also the one of this server.
      if !["0.0.0.0", "::"].contains(place.host) { info["OSC_IP"] = .text(place.host) }
    }
    return .object(info)
  }

  // MARK: WebSockets

  func open(_ access: Access, _ output: SocketOutput) -> any SocketService {
    socketNumber += 1
    let socket = OSCQuerySocket(self, output, number: socketNumber, mayWrite: access == .member)
    sockets[ObjectIdentifier(socket)] = socket
    return socket
  }

  /// Connects to the session for a client that writes; nil if none runs.
  func link(_ name: String, ended: @escaping () -> Void) -> ControlLink? {
    session.name.flatMap {
      try? ControlLink($0, in: folder, name: name, loop, notice: { _ in }, ended: ended)
    }
  }

  /// Ends the announcement, and the connections to the session.
  func close() {
    announcement?.end()
    session.close()
  }
}
