// Commands to a session that runs.

import JackBackend

extension JackSession {
  /// The JACK client's name, the last one while no server is there.
  public var clientName: String {
    connection?.client.name ?? lastClientName ?? options.clientName ?? plan.clientName
  }

  /// Carries a command out, on the thread that runs the session, and answers.
  func carryOut(_ request: SessionRequest) {
    do throws(SessionCommandError) {
      request.answer(.success(try control.carryOut(request.command)))
    } catch {
      log.debug("refused: \(error)")
      request.answer(.failure(error))
    }
  }

  private var control: SessionControl {
    SessionControl(
      units: plan.graph.nodes.map { ($0.id, $0.unit) }, sampleRate: connection?.sampleRate
    ) { self.status }
  }

  private var status: SessionStatus {
    let units = plan.graph.nodes.map { ($0.id, $0.unit) }
    let server = connection?.dummyServer?.name ?? options.server ?? DummyServer.defaultName
    guard let connection else {
      return SessionStatus(
        client: clientName, server: server, units: units.count,
        counts: SessionCounts(units: units).lines)
    }
    let statistics = connection.backend.statistics
    return SessionStatus(
      client: clientName, server: server, isServerThere: true,
      sampleRate: connection.client.sampleRate, period: connection.client.period,
      frame: Int64(statistics.frame), load: connection.client.load, xruns: statistics.xruns,
      units: units.count, counts: SessionCounts(statistics, units: units).lines)
  }
}
