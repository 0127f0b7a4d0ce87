// Connections to other clients, which come and go.

import Graph
import JackBackend
import Session

/// What was connected, by whomever, over the ends of servers and of other clients.
final class RememberedConnections {
  var memory = ConnectionMemory()
}

/// What has come since the outside connections were last looked at.
struct PortArrivals {
  /// Ports that came, by their full names.
  var ports: Set<String> = []
  /// Whether some were looked at, and others that belong to them may follow.
  var isUnsettled = false
}

extension JackConnection {
  package var links: [HostLink] {
    backend.links.map { HostLink(own: $0.own, outside: $0.outside) }
  }

  package func playbackLatency(ofPort name: String) -> Int {
    backend.playbackLatency(ofPort: name) ?? 0
  }

  package var moment: HostMoment? { backend.moment.map { HostMoment($0) } }

  // MARK: Wishes

  /// Connects what is wished and there.
  func connectWishes(isSettled: Bool) { report(outside.update(isSettled: isSettled)) }

  /// Connects new ports as is wished, and as they were when ports of their names were here.
  ///
  /// - Parameter former: those that were here before.
  func connect(portsBeside former: Set<String>) {
    connectWishes(isSettled: true)
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

  /// Connects what is wished, and all that was connected before.
  func comeBack() {
    // Other clients come back too, and may have one of their ports so far.
    connectWishes(isSettled: false)
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

  /// Looks at what is connected.
  private func remember(mayForget: Bool) {
    // Of a server that is just ending, connections are gone before the news of its end comes.
    if backend.isServerGone { return }
    let ours = backend.portNames
    let count = remembered.memory.links.count
    remembered.memory.look(at: backend.links, mayForget: mayForget, isOurs: ours.contains) {
      client.hasPort($0)
    }
    if remembered.memory.links.count > count {
      log.debug("connections that are remembered: \(remembered.memory.links.count)")
    }
  }

  // MARK: What comes

  package func note(arrived port: String) {
    outside.forget(port: port)
    arrivals.ports.insert(port)
  }

  package func settle() {
    let ports = arrivals.ports
    arrivals = PortArrivals(isUnsettled: arrivals.isUnsettled || !ports.isEmpty)
    if !ports.isEmpty { connectWishes(isSettled: false) }
    remembered.memory.note(arrived: ports, at: .now)
    remember(mayForget: false)
  }

  /// Connects again what was connected by others with clients that have come back and did not
  /// connect themselves.
  package func look() {
    restore(
      remembered.memory.dueLinks(at: .now, isConnected: outside.isConnectedByOthers))
  }

  package func tick() {
    connectLateArrivals()
    if !backend.isServerGone { report(outside.examineCuts()) }
    remember(mayForget: true)
  }

  /// Connects what waited for the last ports of a client, once no more have come.
  private func connectLateArrivals() {
    guard arrivals.isUnsettled, arrivals.ports.isEmpty else { return }
    arrivals.isUnsettled = false
    connectWishes(isSettled: true)
  }
}
