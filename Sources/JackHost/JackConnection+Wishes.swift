// Mistakes in requests for outside ports, and missing ports.

import Configuration
import JackBackend
import Session
import SessionModel

extension JackConnection {
  /// Logs the requests that wait for their ports.
  /// - Throws: `configuration`, if a port named in a request exists but does not fit it.
  func examine(_ wishes: [RequestedConnection]) throws(SessionError) {
    let unmatched = outside.unmatched.map { wishes[$0] }
    if unmatched.isEmpty { return }
    let (ports, own) = (client.ports, client.name + ":")
    let mistakes = mistakes(in: unmatched, ports, own: own)
    if let first = mistakes.first {
      throw .configuration(ConfigurationError(first, others: Array(mistakes.dropFirst())))
    }
    for wish in unmatched { sayWaiting(for: wish, ports, own: own) }
  }

  package func mistakes(
    in wishes: [RequestedConnection], asClient name: String?
  ) -> [ConfigurationProblem] {
    mistakes(in: wishes, client.ports, own: (name ?? client.name) + ":")
  }

  private func mistakes(
    in wishes: [RequestedConnection], _ ports: [JackPort], own: String
  ) -> [ConfigurationProblem] {
    wishes.compactMap { mistake(in: $0, ports, own: own) }
  }

  private func fits(_ port: JackPort, _ wish: RequestedConnection, own: String) -> Bool {
    port.isMIDI == (wish.bus == nil) && port.isInput == (wish.direction == .toOutside)
      && !port.name.hasPrefix(own)
  }

  /// Returns the error if an existing port has the wrong direction or type, or is the session's
  /// own; nil otherwise.
  private func mistake(
    in wish: RequestedConnection, _ ports: [JackPort], own: String
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

  /// Logs a missing port: a notice, as it may still be registered, or a warning if other names are
  /// similar.
  private func sayWaiting(for wish: RequestedConnection, _ ports: [JackPort], own: String) {
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
