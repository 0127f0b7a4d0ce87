// Rendering of a player's frames.

import Realtime
import UnitRender

extension PlaybackState {
  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    var done = 0
    while done < slice.frameCount {
      let count = renderSome(slice, from: done)
      addTail(slice, from: done, count: count)
      done &+= count
    }
  }

  /// Renders a run of frames from one source: an entry, or silence.
  ///
  /// - Returns: their count; 0 only if an entry has ended.
  @_noLocks @_noAllocation
  private mutating func renderSome(_ slice: RenderSlice, from done: Int) -> Int {
    let rest = slice.frameCount &- done
    if !state.isPlaying {
      clear(slice, from: done, count: rest)
      return rest
    }
    let frame = slice.frame &+ FrameTime(done)
    let untilInterruption = interrupt(at: frame)
    if queue.first == nil { takeEntries(at: frame) }
    guard let entry = queue.first else {
      clear(slice, from: done, count: rest)
      time = time &+ rest
      return rest
    }
    var count = min(rest, untilInterruption)
    if !entry.pointee.isStarted {
      let start = entry.pointee.startTime
      if start > time {
        count = min(count, start &- time)
        clear(slice, from: done, count: count)
        time = time &+ count
        return count
      }
      entry.pointee.isStarted = true
      entry.pointee.begin(looping: loops(entry))
      position = min(carried, entry.pointee.lead ?? 0)
      carried = 0
      fadeInLeft = 0
      if let first = firstInterrupter, first == entry { removeFirstInterrupter() }
    }
    let end = end(of: entry)
    count = max(0, min(count, end &- position))
    copy(entry, slice, from: done, count: count)
    hasPlayed = true
    position = position &+ count
    time = time &+ count
    if position >= end { passEnded(entry, at: frame &+ FrameTime(count)) }
    return count
  }

  /// The frame after the last one to play of a pass. If the next entry continues this one, it plays
  /// the shared frames.
  @_noLocks @_noAllocation
  private func end(of entry: EntryPointer) -> Int {
    if entry.pointee.overlap > 0, let next = entry.pointee.next, next.pointee.lead != nil {
      return entry.pointee.pass.frameCount &- entry.pointee.overlap
    }
    return entry.pointee.pass.frameCount
  }

  /// Replaces the playing entry by interrupters that are due.
  ///
  /// - Returns: frames until the next interruption, at least 1; `Int.max` without one.
  @_noLocks @_noAllocation
  private mutating func interrupt(at frame: FrameTime) -> Int {
    // At most 64 interrupters at one frame.
    var rest = 64
    while let entry = firstInterrupter {
      if entry.pointee.has(QueuedEntry.interruptingAtLoop), let first = queue.first,
        first.pointee.isStarted
      {
        return .max
      }
      let start = entry.pointee.startTime
      if start > time { return start &- time }
      if let first = queue.first, first != entry {
        leave(at: frame)
        drop(queue.takeAll(before: entry))
      }
      removeFirstInterrupter()
      rest &-= 1
      if rest == 0 { return 1 }
    }
    return .max
  }

  /// Ends a pass that was played to its end. `frame` is the frame after it.
  @_noLocks @_noAllocation
  private mutating func passEnded(_ entry: EntryPointer, at frame: FrameTime) {
    // The sound's end, although the next entry may play its last frames.
    let frame = frame &+ FrameTime(entry.pointee.pass.frameCount &- position)
    carried = position &- (entry.pointee.pass.frameCount &- entry.pointee.overlap)
    position = 0
    entry.pointee.passes = entry.pointee.passes &+ 1
    let isContent = isContent(entry)
    let loops = loops(entry)
    if loops, !isContent { countLoop(entry, at: frame) }
    if let next = firstInterrupter, next != entry, next.pointee.startTime <= time {
      finish(entry, at: frame)
      drop(queue.takeAll(before: next))
      removeFirstInterrupter()
      return
    }
    if loops {
      // A scheduled entry begins after the current pass of the content.
      if isContent, let next = entry.pointee.next, next.pointee.startTime <= time {
        _ = queue.takeFirst()
      }
      entry.pointee.beginNext(looping: true)
      return
    }
    finish(entry, at: frame)
    if isContent, queue.first == nil, !followsTransport { stop(at: frame) }
  }

  @_noLocks @_noAllocation
  private mutating func countLoop(_ entry: EntryPointer, at frame: FrameTime) {
    if entry.pointee.countLoop(endingBefore: frame) { return }
    report()
    if entry.pointee.countLoop(endingBefore: frame) { return }
    // The ring of 1,024 notices is full, and the run was paused: this loop's frame is lost.
    entry.pointee.loopsWithoutFrame = entry.pointee.loopsWithoutFrame &+ 1
  }

  @_noLocks @_noAllocation
  private func clear(_ slice: RenderSlice, from start: Int, count: Int) {
    var channel = 0
    while channel < channelCount {
      Samples.clear(slice.output(channel: channel) + start, count: count)
      channel &+= 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func copy(
    _ entry: EntryPointer, _ slice: RenderSlice, from start: Int, count: Int
  ) {
    var done = 0
    while done < count {
      let soundFrame = entry.pointee.pass.start &+ position &+ done
      var piece = entry.pointee.sound.piece(at: soundFrame)
      piece.count = min(piece.count, count &- done)
      if let stream = entry.pointee.sound.stream {
        piece = streamed(stream, at: soundFrame, loops: loops(entry), piece.count)
      }
      copy(piece, of: entry.pointee.sound, slice, from: start &+ done)
      done &+= piece.count
    }
  }

  @_noLocks @_noAllocation
  private mutating func copy(
    _ piece: (samples: UnsafePointer<Float>?, count: Int), of sound: PlayedSound,
    _ slice: RenderSlice, from start: Int
  ) {
    guard let samples = piece.samples else { return clear(slice, from: start, count: piece.count) }
    var channel = 0
    while channel < channelCount {
      let output = slice.output(channel: channel) + start
      Samples.copy(samples + sound.offset(ofChannel: channel), to: output, count: piece.count)
      if fadeInLeft > 0 { rise(output, count: min(piece.count, fadeInLeft)) }
      if let stream = sound.stream, stream.pointee.fallLeft > 0 {
        fall(output, count: piece.count, stream)
      }
      channel &+= 1
    }
    fadeInLeft = max(0, fadeInLeft &- piece.count)
    sound.stream?.pointee.fell(piece.count)
  }

  /// Returns the next samples of a streamed sound: a run of loaded or of missing ones.
  ///
  /// - Parameter most: the maximum count.
  @_noLocks @_noAllocation
  private mutating func streamed(
    _ stream: UnsafeMutablePointer<PlayedStream>, at frame: Int, loops: Bool, _ most: Int
  ) -> (samples: UnsafePointer<Float>?, count: Int) {
    stream.pointee.look(at: frame, loops: loops)
    var piece = stream.pointee.piece(at: frame)
    // Stop where a fade-out would begin: there it is known whether the next block is loaded.
    let fade = fadeFrames
    if piece.count > fade {
      piece.count = min(piece.count &- fade, most)
    } else {
      if piece.samples != nil { stream.pointee.mayFall(piece.count) }
      piece.count = min(piece.count, most)
    }
    if stream.pointee.played(piece.count, areMissing: piece.samples == nil) { fadeIn() }
    return piece
  }

  /// Fades out before missing samples.
  @_noLocks @_noAllocation
  private func fall(
    _ output: UnsafeMutablePointer<Float>, count: Int, _ stream: UnsafeMutablePointer<PlayedStream>
  ) {
    let step = 1 / Float(stream.pointee.fallFrames)
    var frame = 0
    while frame < count {
      output[frame] *= Float(max(0, stream.pointee.fallLeft &- frame &- 1)) * step
      frame &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func rise(_ output: UnsafeMutablePointer<Float>, count: Int) {
    let step = 1 / Float(fadeInFrames)
    let begun = fadeInFrames &- fadeInLeft
    var frame = 0
    while frame < count {
      output[frame] *= Float(begun &+ frame &+ 1) * step
      frame &+= 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func addTail(_ slice: RenderSlice, from start: Int, count: Int) {
    if tail.isOver { return }
    var channel = 0
    while channel < channelCount {
      tail.add(to: slice.output(channel: channel) + start, channel: channel, count: count)
      channel &+= 1
    }
    tail.advance(count)
  }
}
