// Units whose latency changes while they play.

import UnitModel

extension JackSession {
  /// Has parallel paths wait as long as units say now. Called several times a second.
  func followLatencies() {
    guard let connection, let hostings = connection.compiled?.hostings else { return }
    let latencies = hostings.map { try? $0.unit.latencyFrames }
    guard latencies != hostings.map(\.latencyFrames) else {
      lastLatencies = latencies
      return
    }
    // What was refused is not tried again.
    if latencies == lastLatencies { return }
    lastLatencies = latencies
    do {
      _ = try connection.follow(plan, rendered(plan)) {}
      for (hosting, frames) in zip(hostings, latencies) where hosting.latencyFrames != frames {
        let id = plan.graph.nodes.first { $0.unit === hosting.unit }?.id ?? ""
        log.info("\(id): the latency is \(frames ?? 0) frames now")
      }
    } catch { log.warning("\(error)") }
  }
}
