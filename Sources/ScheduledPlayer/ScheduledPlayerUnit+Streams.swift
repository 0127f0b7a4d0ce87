// What a player streams from the disk.

public import UnitModel

extension ScheduledPlayerUnit {
  var streams: [SoundStream] {
    schedule.withLock { schedule in
      (Array(schedule.items.values) + [schedule.content].compactMap(\.self))
        .flatMap(\.sound.streams)
    }
  }

  /// Frames of silence that were played because the disk had not brought the sound in time.
  ///
  /// - Thread: [any]
  public var missedFrames: Int {
    formerlyMissed.load(ordering: .relaxed) + streams.reduce(0) { $0 + $1.missedFrames }
  }
}

extension ScheduledPlayerUnit: ReportingUnit {
  public var counts: [UnitCount] {
    [UnitCount("frames of silence, because the disk was too slow", missedFrames)]
  }

  public func takeNews() -> [UnitNews] {
    let former = schedule.withLock { schedule in
      defer { schedule.news = [] }
      return schedule.news
    }
    return former + streams.flatMap { $0.takeNews() }
  }
}

extension ScheduledPlayerUnit: OfflineServing {
  public func serveOffline() { for stream in streams { while stream.serve() {} } }
}
