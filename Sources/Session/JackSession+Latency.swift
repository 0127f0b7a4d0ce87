// Changes of units' latencies during playback, and units that depend on when they are heard.

import SessionModel
import UnitModel

extension JackSession {
  /// Sets the presentation latencies of units: once a second, and after changes.
  func updatePresentationLatencies() {
    guard let host, let compiled = host.compiled,
      compiled.hostings.contains(where: { $0.unit is any Presenting })
    else { return }
    for (hosting, ways) in zip(compiled.hostings, compiled.outputPaths()) {
      guard let unit = hosting.unit as? any Presenting else { continue }
      let frames = ways.map { $0.frames + host.playbackLatency(ofPort: $0.output) }
      unit.contextPresentationLatency = Double(frames.max() ?? 0) / compiled.sampleRate
    }
  }

  /// Adapts the delays of parallel paths to the units' current latencies. Called several times a
  /// second.
  func followLatencies() {
    guard exchange == nil, let host, let hostings = host.compiled?.hostings else { return }
    let latencies = hostings.map { try? $0.unit.latencyFrames }
    guard latencies != hostings.map(\.latencyFrames) else {
      lastLatencies = latencies
      return
    }
    // A refused change is not tried again.
    if latencies == lastLatencies { return }
    lastLatencies = latencies
    let changed = zip(hostings, latencies).filter { $0.latencyFrames != $1 }
    let news = changed.map { hosting, frames in
      let id = plan.graph.nodes.first { $0.unit === hosting.unit }?.id ?? ""
      return "\(id): the latency is \(frames ?? 0) frames now"
    }
    do throws(SessionError) {
      try begin(plan, on: host) { [log] result in
        switch result {
        case .success: for line in news { log.info("\(line)") }
        case .failure(let error): log.warning("\(error)")
        }
      }
    } catch { log.warning("\(error)") }
  }
}
