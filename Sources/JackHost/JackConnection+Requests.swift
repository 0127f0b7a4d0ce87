// Mistakes in requests for outside ports, and missing ports.

import Configuration
import JackBackend
import Session
import SessionModel

extension JackConnection {
  /// Logs the requests that wait for their ports, each port at its first request.
  /// - Throws: `configuration`, if a port named in a request exists but does not fit it.
  func examine(_ requests: [RequestedConnection]) throws(SessionError) {
    let unmatched = outside.unmatched.map { requests[$0] }
    if unmatched.isEmpty { return }
    let (ports, own) = (client.ports, client.name + ":")
    if let error = ConfigurationError(mistakes(in: unmatched, ports, own: own)) {
      throw .configuration(error)
    }
    var known: Set<[String]> = []
    for request in unmatched {
      let port = [request.pattern.text, "\(request.direction)", "\(request.bus == nil)"]
      if known.insert(port).inserted { sayWaiting(for: request, ports, own: own) }
    }
  }

  package func mistakes(
    in requests: [RequestedConnection], asClient name: String?
  ) -> [ConfigurationProblem] {
    mistakes(in: requests, client.ports, own: (name ?? client.name) + ":")
  }

  private func mistakes(
    in requests: [RequestedConnection], _ ports: [JackPort], own: String
  ) -> [ConfigurationProblem] {
    requests.compactMap { mistake(in: $0, ports, own: own) }
  }

  private func fits(_ port: JackPort, _ request: RequestedConnection, own: String) -> Bool {
    port.isMIDI == (request.bus == nil) && port.isInput == (request.direction == .toOutside)
      && !port.name.hasPrefix(own)
  }

  /// Returns the error if an existing port has the wrong direction or type, or is the session's
  /// own; nil otherwise.
  private func mistake(
    in request: RequestedConnection, _ ports: [JackPort], own: String
  ) -> ConfigurationProblem? {
    let name = request.pattern.text
    let full = client.fullName(of: name) ?? name
    guard let port = ports.first(where: { $0.name == full }), !fits(port, request, own: own) else {
      return nil
    }
    let key = request.direction == .toOutside ? "to" : "from"
    let wanted = request.direction == .toOutside ? "takes" : "sends"
    let kind = request.bus == nil ? "MIDI" : "audio"
    let fault =
      if full.hasPrefix(own) {
        "is a port of this session itself; name its unit"
      } else if port.isMIDI != (request.bus == nil) {
        "is a port for \(port.isMIDI ? "MIDI" : "audio"), not for \(kind)"
          + (port.isMIDI ? "; the MIDI of a unit is 'UNIT:midi'" : "")
      } else {
        "\(port.isInput ? "takes" : "sends") \(kind), but '\(key)' wants a port that \(wanted) it"
      }
    let nearest = nearestPorts(
      to: name, among: ports.filter { fits($0, request, own: own) }.map(\.name))
    return ConfigurationProblem(
      "\(quoted(name)) \(fault)",
      accepted: (nearest.map { quoted($0) } + ["other ports"]).joined(separator: ", "),
      at: request.location)
  }

  /// Logs a missing port: a notice, as it may still be registered, or a warning if other names are
  /// similar.
  private func sayWaiting(for request: RequestedConnection, _ ports: [JackPort], own: String) {
    let name = request.pattern.text
    guard request.pattern.physical == nil else {
      log.notice("\(request.location.prefix)waits for '\(name)': this machine has no such port yet")
      return
    }
    let fitting = ports.filter { fits($0, request, own: own) }.map(\.name)
    let client = name.prefix { $0 != ":" }
    let isThere = fitting.contains { $0.hasPrefix(client + ":") }
    let isLike = nearestMatch(to: name, among: fitting) != nil
    let matchesOthers = ports.contains { request.pattern.matches($0.name) }
    let nearest = nearestPorts(to: name, among: fitting).map { quoted($0) }
    guard isThere || isLike || matchesOthers, !nearest.isEmpty else {
      log.notice("\(request.location.prefix)waits for \(quoted(name)), which does not exist yet")
      return
    }
    log.warning(
      """
      \(request.location.prefix)there is no such port as \(quoted(name)); nearest: \
      \(nearest.joined(separator: ", ")). It is connected if it comes
      """)
  }
}
