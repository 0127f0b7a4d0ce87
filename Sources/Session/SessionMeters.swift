// Measurements of a session, on request.

import Graph
import GraphRender
import SessionModel

/// Measurements of the rendered graph within the last second. The graph measures while there was a
/// request within the last 3 s.
///
/// One control thread at a time calls its methods.
final class SessionMeters {
  /// Time for which a request holds.
  static let patience = Duration.seconds(3)
  /// Time that a measurement covers.
  static let span = Duration.seconds(1)

  private var lastRequest: ContinuousClock.Instant?
  /// Graph that was measured.
  private weak var graph: CompiledGraph?
  private var pieces: [(end: ContinuousClock.Instant, measurement: ScheduleMeasurement)] = []
  /// The sum since the last `takeNew`; nil for none.
  private var new: ScheduleMeasurement?

  /// Requests measurements.
  /// - Thread: [control]
  func request(now: ContinuousClock.Instant) { lastRequest = now }

  /// Returns the sum of the measurements since the last call, and resets it; nil for none.
  /// - Thread: [control]
  func takeNew() -> ScheduleMeasurement? {
    defer { new = nil }
    return new
  }

  /// Collects measurements, several times a second, and turns measuring on or off.
  /// - Thread: [control]
  func look(at rendered: CompiledGraph?, now: ContinuousClock.Instant) {
    if rendered !== graph {
      graph = rendered
      pieces = []
      new = nil
    }
    guard let rendered else { return }
    let meters = rendered.schedule.meters
    let isRequested = lastRequest.map { $0.duration(to: now) < Self.patience } ?? false
    if meters.isOn {
      let measurement = meters.take()
      if measurement.frames > 0 {
        pieces.append((now, measurement))
        if new == nil { new = measurement } else { new?.add(measurement) }
      }
    } else if isRequested {
      // Discards measurements of a cycle that was still running when measuring ended.
      _ = meters.take()
      pieces = []
    }
    meters.isOn = isRequested
    pieces.removeAll { $0.end.duration(to: now) > Self.span }
  }

  /// Returns the sum of the measurements; nil if there are none. Counts as a request.
  /// - Thread: [control]
  func measurement(
    of rendered: CompiledGraph?, now: ContinuousClock.Instant
  ) -> ScheduleMeasurement? {
    request(now: now)
    look(at: rendered, now: now)
    guard var sum = pieces.first?.measurement else { return nil }
    for piece in pieces.dropFirst() { sum.add(piece.measurement) }
    return sum
  }
}
