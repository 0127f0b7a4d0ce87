// A player's streams from the disk.

public import UnitModel

extension ScheduledPlayerUnit {
  var streams: [SoundStream] {
    schedule.withLock { schedule in
      (Array(schedule.items.values) + [schedule.content].compactMap(\.self))
        .flatMap(\.sound.streams)
    }
  }

  /// Frames of silence played because the disk was too slow.
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

  public func takeNews() -> [UnitNotice] {
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

extension ScheduledPlayerUnit: MemoryHolding {
  /// Memory of the content and scheduled sounds, including stream buffers.
  public var heldMemory: [HeldMemory] {
    let (clips, streams) = schedule.withLock { schedule in
      let items = Array(schedule.items.values) + [schedule.content].compactMap(\.self)
      return (items.flatMap(\.clips), items.flatMap(\.sound.streams))
    }
    let waiting = streams.reduce(0) {
      $0 + StreamQueue.capacity(channelCount: $1.line.channelCount) * MemoryLayout<Float>.size
    }
    return [HeldMemory(.sounds, byteCount: clips.byteCount + waiting)]
  }
}
