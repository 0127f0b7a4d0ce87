// Levels for those who watch them.

import GraphRender
import SessionModel
import UnitModel

extension JackSession {
  /// Measures, and sends the new levels to the clients that watch them. Called twenty times a
  /// second.
  func reportMeters() {
    let watches = watches.compactMap(\.watch).filter { !$0.meters.isEmpty }
    if !watches.isEmpty { meters.request(now: time.now) }
    meters.look(at: host?.compiled, now: time.now)
    guard let measurement = meters.takeNew(), !watches.isEmpty, let host else { return }
    let reading = MeterReading(
      frame: Int64(host.statistics.frame), frames: measurement.frames, units: levels(measurement))
    for watch in watches { watch.report(reading) }
  }

  /// Returns the measured levels by the ids of the units.
  func levels(_ measurement: ScheduleMeasurement) -> [String: UnitMeters] {
    guard let rendered = host?.compiled else { return [:] }
    let ids = Dictionary(
      plan.graph.nodes.map { (ObjectIdentifier($0.unit), $0.id) },
      uniquingKeysWith: { first, _ in
        first
      })
    var levels: [String: UnitMeters] = [:]
    for (hosting, measured) in zip(rendered.hostings, measurement.units) {
      guard let id = ids[ObjectIdentifier(hosting.unit)] else { continue }
      levels[id] = UnitMeters(
        of: hosting.unit, peaks: measured.peaks, inputChannels: hosting.hosted.inputChannels,
        outputChannels: hosting.hosted.outputChannels, latency: hosting.latencyFrames)
    }
    return levels
  }
}
