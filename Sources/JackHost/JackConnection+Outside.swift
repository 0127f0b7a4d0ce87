// Connections to other clients.

import Graph
import JackBackend
import Session
import SessionModel

/// Connections made by any client, remembered when servers and other clients end.
final class RememberedConnections {
  var memory = ConnectionMemory()
}

/// Ports registered since the outside connections were last updated.
struct PortArrivals {
  /// New ports, by their full names.
  var ports: Set<String> = []
  /// Whether some were handled, and more ports of their clients may follow.
  var isUnsettled = false
}

extension JackConnection {
  package var links: [HostLink] {
    backend.links.map { HostLink(own: $0.own, outside: $0.outside) }
  }

  package func isRequested(_ link: HostLink) -> Bool {
    outside.hasMade(link.outside, withOwn: client.name + ":" + link.own)
  }

  package var missing: [String] {
    outside.unmatched.map { index in
      let request = outside.requests[index]
      return "\(request.pattern) for \(request.ports.joined(separator: ", "))"
    }
  }

  package func playbackLatency(ofPort name: String) -> Int {
    backend.playbackLatency(ofPort: name) ?? 0
  }

  package var moment: HostMoment? { backend.moment.map { HostMoment($0) } }

  // MARK: Requests

  /// Makes the requested connections that are possible now.
  func connectRequested(isSettled: Bool) { report(outside.update(isSettled: isSettled)) }

  /// Connects new ports as requested, and as earlier ports of the same names were connected.
  ///
  /// - Parameter former: the names of the ports that existed before.
  func connect(portsBeside former: Set<String>) {
    connectRequested(isSettled: true)
    restore(remembered.memory.links(of: backend.portNames.subtracting(former)))
  }

  private func report(_ news: OutsideConnections.UpdateResult) {
    for (source, destination) in news.made { log.info("connected \(source) to \(destination)") }
    for port in news.mixed { log.notice("several channels are mixed into \(port)") }
    for (source, destination) in news.cut {
      log.notice("another program disconnected \(source) from \(destination)")
    }
    for error in news.failed { log.warning("\(error)") }
  }

  // MARK: Memory

  /// Makes the requested connections, and all earlier ones.
  func comeBack() {
    // Other clients return too, and may have registered only some of their ports.
    connectRequested(isSettled: false)
    restore(remembered.memory.links(with: Set(client.ports.map(\.name))))
    remember(mayForget: false)
    arrivals.isUnsettled = true
  }

  private func restore(_ links: [PortLink]) {
    for link in links {
      do throws(JackError) {
        guard let (source, destination) = try backend.restore(link) else { continue }
        log.info("connected \(source) to \(destination) again")
      } catch {
        remembered.memory.noteRefusal(of: link, at: .now)
      }
    }
  }

  /// Remembers the current connections.
  private func remember(mayForget: Bool) {
    // Connections of an ending server disappear before its shutdown notification.
    if backend.isServerGone { return }
    let ours = backend.portNames
    let count = remembered.memory.links.count
    remembered.memory.look(at: backend.links, mayForget: mayForget, isOurs: ours.contains) {
      client.hasPort($0)
    }
    let known = remembered.memory.links.count
    if known > count { log.debug("connections that are remembered: \(known)") }
    if known < count { log.debug("connections that are forgotten: \(count - known)") }
  }

  // MARK: New ports

  package func note(arrived port: String) {
    outside.forget(port: port)
    arrivals.ports.insert(port)
  }

  package func settle() {
    noteOutsidePorts()
    let ports = arrivals.ports
    arrivals = PortArrivals(isUnsettled: arrivals.isUnsettled || !ports.isEmpty)
    if !ports.isEmpty { connectRequested(isSettled: false) }
    remembered.memory.note(arrived: ports, at: .now)
    remember(mayForget: false)
  }

  /// Restores connections made by others to clients that have returned and did not connect
  /// themselves.
  package func look() {
    restore(
      remembered.memory.dueLinks(at: .now, isConnected: outside.isConnectedByOthers))
  }

  package func tick() {
    noteOutsidePorts()
    connectLateArrivals()
    if !backend.isServerGone { report(outside.examineCuts()) }
    remember(mayForget: true)
    // Busses may have other names now.
    if let compiled, !backend.isServerGone { label(compiled.ports, graph) }
  }

  private func noteOutsidePorts() {
    var ports: [GraphReading.OutsidePort] = []
    if !backend.isServerGone {
      ports = GraphReading.OutsidePort.ports(client.ports, without: client.name)
    }
    // The same list again would be compared name by name, twenty times a second.
    if ports != outsidePorts { outsidePorts = ports }
  }

  /// Makes the connections that waited for the last ports of a client, once no more arrive.
  private func connectLateArrivals() {
    guard arrivals.isUnsettled, arrivals.ports.isEmpty else { return }
    arrivals.isUnsettled = false
    connectRequested(isSettled: true)
  }
}

extension GraphReading.OutsidePort {
  /// The most ports that are reported.
  static let most = 4_096

  /// Returns the ports of other clients than one, the first of them.
  static func ports(_ ports: [JackPort], without client: String) -> [Self] {
    let others = ports.lazy.filter { !$0.name.hasPrefix(client + ":") }
    return others.prefix(most).map {
      Self(name: $0.name, isMIDI: $0.isMIDI, isInput: $0.isInput)
    }
  }
}
