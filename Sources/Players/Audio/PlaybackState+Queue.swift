// Entries entering and leaving the queue.

import Realtime

extension PlaybackState {
  /// The most entries taken in one call.
  private static var mostEntries: Int { @_noLocks @_noAllocation get { 256 } }

  /// Takes scheduled entries, at most 256, up to the first that waits for a later stop. The rest
  /// follows in the next cycle, or when the queue is empty.
  @_noLocks @_noAllocation
  mutating func takeEntries(at frame: FrameTime) {
    var count = 0
    while count < Self.mostEntries, let entry = link.entry, entry.pointee.epoch <= epoch {
      link = entry.pointee.link
      take(entry, at: frame)
      count = count &+ 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func take(_ entry: EntryPointer, at frame: FrameTime) {
    if entry.pointee.epoch < epoch {
      // Too many entries to take before the stop that drops them.
      entry.pointee.next = nil
      entry.pointee.previous = nil
      finished.append(entry)
      return
    }
    let interrupts = entry.pointee.has(QueuedEntry.interrupting)
    let interruptsAtOnce = interrupts && entry.pointee.startTime == QueuedEntry.asSoonAsPossible
    if interruptsAtOnce {
      leave(at: frame)
      drop(queue.takeAll())
      clearInterrupters()
    }
    append(entry)
    if interruptsAtOnce { return }
    if interrupts || entry.pointee.has(QueuedEntry.interruptingAtLoop) {
      if let last = lastInterrupter {
        last.pointee.nextInterrupter = entry
      } else {
        firstInterrupter = entry
      }
      lastInterrupter = entry
    }
  }

  @_noLocks @_noAllocation
  mutating func append(_ entry: EntryPointer) {
    entry.pointee.nextInterrupter = nil
    if queue.first == nil { position = 0 }
    queue.append(entry)
  }

  @_noLocks @_noAllocation
  mutating func clearInterrupters() {
    firstInterrupter = nil
    lastInterrupter = nil
  }

  @_noLocks @_noAllocation
  mutating func removeFirstInterrupter() {
    firstInterrupter = firstInterrupter?.pointee.nextInterrupter
    if firstInterrupter == nil { lastInterrupter = nil }
  }

  /// Hands back entries that will not be played any more.
  @_noLocks @_noAllocation
  mutating func drop(_ entries: EntryQueue) {
    var entries = entries
    // The content stays; it can only be the first.
    if let first = entries.first, isContent(first) { _ = entries.takeFirst() }
    finished.append(&entries)
  }

  /// Hands back the first entry, which has been played to its end.
  @_noLocks @_noAllocation
  mutating func finish(_ entry: EntryPointer, at frame: FrameTime) {
    entry.pointee.endFrame = frame
    entry.pointee.isWhole = true
    if let taken = queue.takeFirst(), !isContent(taken) { finished.append(taken) }
  }

  /// Reports loops and finished entries. If the ring is full, retries in the next cycle.
  @_noLocks @_noAllocation
  mutating func report() {
    if let entry = queue.first, entry.pointee.loops.count > 0 {
      let news = PlayerNotice(first: entry, loops: entry.pointee.loops)
      if line.news.trySend(news) { entry.pointee.loops = LoopRun() }
    }
    guard let first = finished.first else { return }
    if line.news.trySend(PlayerNotice(first: first, loops: LoopRun())) {
      finished = EntryQueue()
    }
  }

  /// Ends a call. `frame` is the frame after it.
  @_noLocks @_noAllocation
  mutating func end(at frame: FrameTime) {
    report()
    line.didRender(to: frame, time: time)
    values[Self.positionIndex] = Float(Double(position) / sampleRate)
    values[Self.timeIndex] = Float(Double(time) / sampleRate)
  }
}
