// Reports on scheduled sounds.

import Realtime

extension ScheduledPlayerUnit {
  typealias Delivery = (handler: PlaybackHandler, report: PlaybackReport)

  /// Delivers the reports of the render side.
  ///
  /// - Returns: whether more reports are expected.
  /// - Thread: [worker], one at a time
  func deliver() -> Bool {
    let (deliveries, isWaiting) = schedule.withLock { schedule in
      var deliveries: [Delivery] = []
      // Read before the notices, so that entries heard by then have been received.
      let now = line.renderedTo
      while let news = line.news.tryReceive() {
        if news.loops.count == 0 {
          finish(news.first, &schedule, &deliveries)
        } else if let item = schedule.items[Int(bitPattern: news.first)] {
          reportLoops(news.loops, of: item, &deliveries)
        }
      }
      reportHeard(now, &schedule, &deliveries)
      return (deliveries, !schedule.items.isEmpty || !schedule.unheard.isEmpty)
    }
    for delivery in deliveries { delivery.handler(delivery.report) }
    return isWaiting
  }

  /// Reports the sounds that will never be played.
  ///
  /// - Thread: [control], once nothing else uses the player
  func deliverTheRest() {
    _ = deliver()
    let deliveries = schedule.withLock { schedule in
      var deliveries: [Delivery] = []
      for (item, report) in schedule.unheard { reportStage(item, report, as: .heard, &deliveries) }
      for item in schedule.items.values.sorted(by: { $0.number < $1.number }) {
        let report = PlaybackReport(stage: [], frame: nil, passes: item.passes, isWhole: false)
        for stage in [PlaybackStages.rendered, .consumed, .heard] {
          reportStage(item, report, as: stage, &deliveries)
        }
      }
      schedule.items = [:]
      schedule.unheard = []
      return deliveries
    }
    for delivery in deliveries { delivery.handler(delivery.report) }
  }

  /// Takes back a list of finished entries and reports them.
  private func finish(
    _ first: EntryPointer, _ schedule: inout Schedule, _ deliveries: inout [Delivery]
  ) {
    var next: EntryPointer? = first
    while let pointer = next {
      let entry = pointer.pointee
      next = entry.next
      guard let item = schedule.items.removeValue(forKey: Int(bitPattern: pointer)) else {
        continue
      }
      reportLoops(entry.loops, of: item, &deliveries)
      for _ in 0..<entry.loopsWithoutFrame { reportLoop(item, nil, &deliveries) }
      let report = PlaybackReport(
        stage: [], frame: entry.isStarted ? entry.endFrame : nil, passes: entry.passes,
        isWhole: entry.isWhole)
      reportStage(item, report, as: .rendered, &deliveries)
      reportStage(item, report, as: .consumed, &deliveries)
      for stream in item.sound.streams { keep(stream, &schedule) }
      if item.stages.contains(.heard) { schedule.unheard.append((item, report)) }
      // The render thread may read its link until a later entry is finished.
      if item.number > schedule.last?.number ?? -1 { schedule.last = item }
    }
  }

  /// Keeps the counts and notices of a removed stream.
  private func keep(_ stream: SoundStream, _ schedule: inout Schedule) {
    formerlyMissed.wrappingAdd(stream.missedFrames, ordering: .relaxed)
    schedule.news += stream.takeNews()
  }

  private func reportHeard(
    _ now: FrameTime, _ schedule: inout Schedule, _ deliveries: inout [Delivery]
  ) {
    if schedule.unheard.isEmpty { return }
    let latency = FrameTime(Int(saturating: (contextPresentationLatency * rate).rounded()))
    schedule.unheard.removeAll { item, report in
      var report = report
      report.frame = report.frame.map { $0 + latency }
      // Sounds that were never started are reported at once.
      if let frame = report.frame, frame > now { return false }
      reportStage(item, report, as: .heard, &deliveries)
      return true
    }
  }

  private func reportLoops(_ loops: LoopRun, of item: ScheduledItem, _ deliveries: inout [Delivery])
  {
    for frame in loops.frames { reportLoop(item, frame, &deliveries) }
  }

  private func reportLoop(
    _ item: ScheduledItem, _ frame: FrameTime?, _ deliveries: inout [Delivery]
  ) {
    item.passes += 1
    let report = PlaybackReport(stage: .looped, frame: frame, passes: item.passes, isWhole: true)
    reportStage(item, report, as: .looped, &deliveries)
  }

  private func reportStage(
    _ item: ScheduledItem, _ report: PlaybackReport, as stage: PlaybackStages,
    _ deliveries: inout [Delivery]
  ) {
    guard item.stages.contains(stage), let handler = item.handler else { return }
    var report = report
    report.stage = stage
    deliveries.append((handler, report))
  }
}
