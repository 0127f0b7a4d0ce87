// What a session measures while somebody looks.

import Graph
import GraphRender
import SessionModel

/// What the rendered graph has measured within the last second. It measures as long as somebody has
/// asked for it within the last three.
///
/// Its methods are called by one control thread at a time.
final class SessionMeters {
  /// How long a wish to see holds.
  static let patience = Duration.seconds(3)
  /// What a measurement tells of.
  static let span = Duration.seconds(1)

  private var lastWish: ContinuousClock.Instant?
  /// Whose measurements there are.
  private weak var graph: CompiledGraph?
  private var pieces: [(end: ContinuousClock.Instant, measurement: ScheduleMeasurement)] = []

  /// Takes what there is, several times a second; begins and ends measuring.
  /// - Thread: [control]
  func look(at rendered: CompiledGraph?, now: ContinuousClock.Instant) {
    if rendered !== graph {
      graph = rendered
      pieces = []
    }
    guard let rendered else { return }
    let meters = rendered.schedule.meters
    let isWished = lastWish.map { $0.duration(to: now) < Self.patience } ?? false
    if meters.isOn {
      let measurement = meters.take()
      if measurement.frames > 0 { pieces.append((now, measurement)) }
    } else if isWished {
      // What a cycle may have left that was on its way when measuring ended.
      _ = meters.take()
      pieces = []
    }
    meters.isOn = isWished
    pieces.removeAll { $0.end.duration(to: now) > Self.span }
  }

  /// What has been measured, nil while nothing has; the wish to see is noted.
  /// - Thread: [control]
  func measurement(
    of rendered: CompiledGraph?, now: ContinuousClock.Instant
  ) -> ScheduleMeasurement? {
    lastWish = now
    look(at: rendered, now: now)
    guard var sum = pieces.first?.measurement else { return nil }
    for piece in pieces.dropFirst() { sum.add(piece.measurement) }
    return sum
  }
}
