// Starting, pausing and stopping.

import Realtime

extension PlaybackState {
  /// Changes the state. A stop of a stopped player keeps the scheduled entries.
  @_noLocks @_noAllocation
  mutating func set(_ wanted: PlayerState, at frame: FrameTime) {
    values[Self.stateIndex] = wanted.value
    if wanted.isStopped {
      if !state.isStopped { stop(at: frame) }
    } else if wanted.isPaused {
      if state.isPlaying, let entry = queue.first, entry.pointee.isStarted { fadeOut(entry) }
      state = .paused
    } else if !state.isPlaying {
      state = .playing
      takeEntries(at: frame)
      if queue.first == nil, let content {
        append(content)
        startAtCue(content)
      } else if position > 0 {
        fadeIn()
      }
    }
  }

  /// Executes a stop made while nothing rendered the player, if `prepare` came too early for it.
  @inline(never) @_noLocks @_noAllocation
  mutating func stopIfHeld(at frame: FrameTime) {
    let held = line.heldStop
    if held > epoch { stop(at: frame, epoch: held) }
  }

  /// Executes a stop by the control side: drops only entries scheduled before it.
  @_noLocks @_noAllocation
  mutating func stop(at frame: FrameTime, epoch given: UInt64) {
    // All entries scheduled before it, also those not taken yet.
    takeEntries(at: frame)
    stop(at: frame)
    if given > epoch { epoch = given }
    takeEntries(at: frame)
  }

  @_noLocks @_noAllocation
  mutating func stop(at frame: FrameTime) {
    leave(at: frame)
    drop(queue.takeAll())
    clearInterrupters()
    state = .stopped
    values[Self.stateIndex] = 0
    time = 0
    position = 0
    fadeInLeft = 0
  }

  /// Stops without a fade.
  @_noLocks @_noAllocation
  mutating func silence() {
    hasPlayed = false
    stop(at: line.renderedTo)
    tail.clear()
  }

  /// Ends the playing entry with a fade-out. It stays in the queue.
  @_noLocks @_noAllocation
  mutating func leave(at frame: FrameTime) {
    guard let entry = queue.first, entry.pointee.isStarted else { return }
    entry.pointee.endFrame = frame
    if state.isPlaying { fadeOut(entry) }
    position = 0
  }

  /// Fades out the playing entry while the next one plays.
  @_noLocks @_noAllocation
  private mutating func fadeOut(_ entry: EntryPointer) {
    if !hasPlayed { return }
    hasPlayed = false
    let gain = fadeInLeft > 0 ? 1 - Float(fadeInLeft) / Float(fadeInFrames) : 1
    tail.take(entry, from: position, loops: loops(entry), gain: gain, length: fadeFrames)
  }

  /// Whether another pass of the entry follows.
  @_noLocks @_noAllocation
  func loops(_ entry: EntryPointer) -> Bool {
    isContent(entry) ? values[Self.loopIndex] >= 0.5 : entry.pointee.has(QueuedEntry.looping)
  }

  @_noLocks @_noAllocation
  mutating func fadeIn() {
    fadeInLeft = fadeFrames
    fadeInFrames = max(1, fadeInLeft)
  }
}
