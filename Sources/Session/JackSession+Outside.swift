// Connections to other clients: made, and what is wrong with those that cannot be.

import Configuration
import JackBackend

extension JackSession {
  /// Connects what is wished and there.
  func connectOutside(isSettled: Bool) {
    guard let connection else { return }
    report(connection.outside.update(isSettled: isSettled))
  }

  /// Connects again after a client has restored its own connections, and reports later cuts.
  func examineCuts() {
    guard let connection, !connection.backend.isServerGone else { return }
    report(connection.outside.examineCuts())
  }

  private func report(_ news: OutsideConnections.News) {
    for (source, destination) in news.made { log.info("connected \(source) to \(destination)") }
    for port in news.mixed { log.notice("several channels are mixed into \(port)") }
    for (source, destination) in news.cut {
      log.notice("another program disconnected \(source) from \(destination)")
    }
    for error in news.failed { log.warning("\(error)") }
  }

  /// Says which wishes wait for their ports.
  /// - Throws: `configuration`, when a port that a wish names is there and can never be what it
  ///   wants.
  func examineOutside() throws(SessionError) {
    guard let connection else { return }
    let unmatched = connection.outside.unmatched
    guard !unmatched.isEmpty else { return }
    let ports = connection.client.ports
    let own = connection.client.name + ":"
    var mistakes: [ConfigurationProblem] = []
    for wish in unmatched.map({ plan.wishes[$0] }) {
      if let mistake = mistake(in: wish, ports, own: own) {
        mistakes.append(mistake)
      } else {
        sayWaiting(for: wish, ports, own: own)
      }
    }
    if let first = mistakes.first {
      throw .configuration(ConfigurationError(first, others: Array(mistakes.dropFirst())))
    }
  }

  private func fits(_ port: JackPort, _ wish: OutsideWish, own: String) -> Bool {
    port.isMIDI == (wish.bus == nil) && port.isInput == (wish.direction == .toOutside)
      && !port.name.hasPrefix(own)
  }

  /// - Throws: that a port which a plan names is there and can never be what it wants.
  func checkOutside(_ plan: SessionPlan) throws(ConfigurationProblem) {
    guard let connection else { return }
    let (ports, own) = (connection.client.ports, connection.client.name + ":")
    for wish in plan.wishes {
      if let mistake = mistake(in: wish, ports, own: own) { throw mistake }
    }
  }

  /// What a port that is there can never be for a wish.
  func mistake(
    in wish: OutsideWish, _ ports: [JackPort], own: String
  ) -> ConfigurationProblem? {
    let name = wish.pattern.text
    guard let port = ports.first(where: { $0.name == name }), !fits(port, wish, own: own) else {
      return nil
    }
    let key = wish.direction == .toOutside ? "to" : "from"
    let wanted = wish.direction == .toOutside ? "takes" : "sends"
    let kind = wish.bus == nil ? "MIDI" : "audio"
    let fault =
      if name.hasPrefix(own) {
        "is a port of this session itself; name its unit"
      } else if port.isMIDI != (wish.bus == nil) {
        "is a port for \(port.isMIDI ? "MIDI" : "audio"), not for \(kind)"
      } else {
        "\(port.isInput ? "takes" : "sends") \(kind), but '\(key)' wants a port that \(wanted) it"
      }
    let nearest = nearestPorts(
      to: name, among: ports.filter { fits($0, wish, own: own) }.map(\.name))
    return ConfigurationProblem(
      "\(quoted(name)) \(fault)",
      accepted: (nearest.map { quoted($0) } + ["other ports"]).joined(separator: ", "),
      at: wish.location)
  }

  /// What may still come is no mistake; but a name that is like others may be one.
  private func sayWaiting(for wish: OutsideWish, _ ports: [JackPort], own: String) {
    let name = wish.pattern.text
    guard wish.pattern.physical == nil else {
      log.notice("\(wish.location): waits for '\(name)': this machine has no such port yet")
      return
    }
    let fitting = ports.filter { fits($0, wish, own: own) }.map(\.name)
    let client = name.prefix { $0 != ":" }
    let isThere = fitting.contains { $0.hasPrefix(client + ":") }
    let isLike = nearestMatch(to: name, among: fitting) != nil
    let matchesOthers = ports.contains { wish.pattern.matches($0.name) }
    let nearest = nearestPorts(to: name, among: fitting).map { quoted($0) }
    guard isThere || isLike || matchesOthers, !nearest.isEmpty else {
      log.notice("\(wish.location): waits for \(quoted(name)), which is not there yet")
      return
    }
    log.warning(
      """
      \(wish.location): there is no such port as \(quoted(name)); nearest: \
      \(nearest.joined(separator: ", ")). It is connected if it comes
      """)
  }
}
