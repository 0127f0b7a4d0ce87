// What comes into the queue, and what leaves it.

import Realtime

extension PlaybackState {
  /// The most entries that are taken at a time.
  private static var mostEntries: Int { @_noLocks @_noAllocation get { 256 } }

  /// Takes what was scheduled, up to what waits for a stop that is still to come. The rest of very
  /// many has its turn in the next cycle, or when the queue is empty.
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
      // More than could be taken before the stop that drops it.
      entry.pointee.next = nil
      entry.pointee.previous = nil
      finished.append(entry)
      return
    }
    let interrupts = entry.pointee.has(PlayedEntry.interrupting)
    let interruptsAtOnce = interrupts && entry.pointee.startTime == PlayedEntry.asSoonAsPossible
    if interruptsAtOnce {
      leave(at: frame)
      drop(queue.takeAll())
      clearInterrupters()
    }
    append(entry)
    if interruptsAtOnce { return }
    if interrupts || entry.pointee.has(PlayedEntry.interruptingAtLoop) {
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

  /// Hands back what is not to be played any more.
  @_noLocks @_noAllocation
  mutating func drop(_ entries: EntryQueue) {
    var entries = entries
    // The content stays; it is only ever the first.
    if let first = entries.first, isContent(first) { _ = entries.takeFirst() }
    finished.append(&entries)
  }

  /// Hands back the first of the queue, which has been played whole.
  @_noLocks @_noAllocation
  mutating func finish(_ entry: EntryPointer, at frame: FrameTime) {
    entry.pointee.endFrame = frame
    entry.pointee.isWhole = true
    if let taken = queue.takeFirst(), !isContent(taken) { finished.append(taken) }
  }

  /// Tells of what has finished, where there is room; else in the next cycle.
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

  /// A call ends, before `frame`.
  @_noLocks @_noAllocation
  mutating func end(at frame: FrameTime) {
    report()
    line.renderedTo = frame
    line.time = time
    values[Self.positionIndex] = Float(Double(position) / sampleRate)
    values[Self.timeIndex] = Float(Double(time) / sampleRate)
  }
}
