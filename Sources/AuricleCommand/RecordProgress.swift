// The progress line of a recording.

import Logging
import Tools

/// A line on a terminal, rewritten five times a second; in a log, a line a minute.
final class RecordProgress {
  private let line = ProgressLine("recording")
  private let log: Logger
  private var last: ContinuousClock.Instant?

  init(_ log: Logger) { self.log = log }

  func show(_ recording: Recording) {
    let isTake = recording.stage == .take && recording.recorded.file != nil
    let pause = line.isShown ? Duration.milliseconds(200) : .seconds(60)
    // A log's first line follows after a minute, because the start is logged anyway.
    guard let last, line.isShown || isTake else {
      last = .now
      return
    }
    if last.duration(to: .now) < pause { return }
    self.last = .now
    let text =
      switch recording.stage {
      case .ports: "waiting for ports"
      case .take where isTake: recording.recorded.progress(clock)
      case .start, .take: "waiting"
      }
    if line.isShown { line.show(text) } else { log.notice("recording: \(text)") }
  }

  func clear() { line.clear() }
}
