// Selection and takeover of a live set's entries.

import FluidSynthPool
import Realtime
import UnitRender

extension SamplerKernel {
  /// Finds the events of a call that select entries, before the MIDI chain sees them.
  ///
  /// An entry whose SoundFonts are at hand takes over on the event's frame: the event stays in the
  /// list, followed by the entry's settings. Any other entry is requested, and takes over at the
  /// start of a later call.
  /// - Complexity: O(events + settings of the selected entries)
  @_noLocks @_noAllocation
  mutating func takeEntries(_ list: RenderEventList, _ call: RenderCallView) {
    let start = call.call.pointee.frame
    let end = start &+ FrameTime(call.frameCount)
    takeWaitingEntry(list, at: start)
    var (stack, ringingCount) = (currentStack, ringing.count)
    var previous: UnsafeMutablePointer<RenderEvent>?
    var next = list.first
    while let event = next, event.pointee.frame < end {
      next = list.next(after: event)
      let number = live.number(event)
      if number < 0 {
        previous = event
        continue
      }
      let entry = live[number]
      let isAtHand =
        entry.stack == stack
        || (live.pool(entry.stack) != nil && ringingCount < RingingPools.capacity)
      if entry.stack < 0 || !isAtHand || list.room < entry.settingCount {
        if entry.stack < 0 {
          liveStatus.countUnknown(number)
        } else {
          ask(for: number, at: event.pointee.frame, isPlayed: LiveTable.isPlayed(event.pointee))
        }
        list.remove(event, after: previous)
        continue
      }
      forgetWaiting()
      if entry.stack != stack { ringingCount += 1 }
      stack = entry.stack
      let (following, frame) = (event.pointee.next, event.pointee.frame)
      event.pointee = LiveTable.selection(
        of: number, at: frame, hasWaited: LiveTable.hasWaited(event.pointee),
        isPlayed: LiveTable.isPlayed(event.pointee))
      event.pointee.next = following
      previous = insertSettings(entry, list, after: event, at: frame)
    }
  }

  private var currentStack: Int {
    @_noLocks @_noAllocation get {
      if let current { return current.pointee.stack }
      return -1
    }
  }

  /// Takes a waiting entry at the start of a call, after its SoundFonts have arrived or ringing
  /// pools have ended.
  @_noLocks @_noAllocation
  private mutating func takeWaitingEntry(_ list: RenderEventList, at frame: FrameTime) {
    if arrivedEntry >= 0 {
      let entry = live[arrivedEntry]
      if list.room < entry.settingCount { return }
      _ = insertSettings(entry, list, after: nil, at: frame)
      liveStatus.switched(to: arrivedEntry, delayFrames: Int(frame &- waitingSince))
      if arrivedIsPlayed { liveStatus.played.note(arrivedEntry, at: frame) }
      arrivedEntry = -1
    } else if waitingEntry >= 0 {
      let entry = live[waitingEntry]
      let isAtHand =
        entry.stack == currentStack || (live.pool(entry.stack) != nil && !ringing.isFull)
      if !isAtHand || list.room <= entry.settingCount { return }
      // Costs as much as any selection, and waits like one.
      let event = LiveTable.selection(
        of: waitingEntry, at: frame, hasWaited: true, isPlayed: waitingIsPlayed)
      _ = list.insert(event, after: nil)
    }
  }

  @_noLocks @_noAllocation
  private mutating func ask(for number: Int, at frame: FrameTime, isPlayed: Bool) {
    waitingEntry = number
    waitingSince = frame
    waitingIsPlayed = isPlayed
    liveStatus.ask(for: number)
  }

  @_noLocks @_noAllocation
  mutating func forgetWaiting() {
    waitingEntry = -1
    if liveStatus.isAsking { liveStatus.ask(for: -1) }
  }

  /// - Returns: the last inserted event; `event` without one.
  @_noLocks @_noAllocation
  private func insertSettings(
    _ entry: LiveEntry, _ list: RenderEventList, after event: UnsafeMutablePointer<RenderEvent>?,
    at frame: FrameTime
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var last = event
    var index = 0
    while index < entry.settingCount {
      let setting = live.setting(entry.firstSetting + index)
      var event = RenderEvent.parameter(
        address: setting.address, value: setting.value, at: frame)
      event.cable = LiveTable.mark
      if let inserted = list.insert(event, after: last) { last = inserted }
      index &+= 1
    }
    return last
  }

  /// Makes an entry the playing one, on the same synths if they have its SoundFonts. Sounding notes
  /// continue.
  ///
  /// - Parameters:
  ///   - event: the event that selects it.
  ///   - frame: the frame at which the event is executed.
  @_noLocks @_noAllocation
  mutating func select(_ event: RenderEvent, at frame: FrameTime) {
    let number = Int(event.value)
    let selectedAt = LiveTable.hasWaited(event) ? waitingSince : event.frame
    let isPlayed = LiveTable.isPlayed(event)
    let entry = live[number]
    if entry.stack < 0 { return }
    hasNewPresets = true
    hasEntered = false
    channels.forgetPrograms()
    let hadRhythmParts = settings.percussion | settings.melodic != 0
    if hadRhythmParts { takePitches() }
    if let current, current.pointee.stack == entry.stack {
      current.pointee.select(entry.configured, scratch)
      if hadRhythmParts { current.pointee.setPitch(settings, scratch) }
    } else if let pool = live.pool(entry.stack), !ringing.isFull || ringing.contains(pool) {
      enter(prepared: pool, entry.configured)
    } else {
      return ask(for: number, at: selectedAt, isPlayed: isPlayed)
    }
    liveStatus.switched(to: number, delayFrames: Int(event.frame &- selectedAt))
    if isPlayed { liveStatus.played.note(number, at: frame) }
  }

  /// Plays on a pool that was prepared ahead and may have played before.
  @_noLocks @_noAllocation
  private mutating func enter(
    prepared pool: UnsafeMutablePointer<SynthPool>, _ configured: ConfiguredProgram
  ) {
    let isRinging = ringing.remove(pool)
    if isRinging && ringing.count == 0 { isFading = false }
    let previous = current
    if let current { ringing.append(current) }
    current = pool
    pool.pointee.level = 1
    hasEntered = true
    if isRinging {
      pool.pointee.select(configured, scratch)
      pool.pointee.apply(settings, scratch)
      return
    }
    pool.pointee.setConfigured(configured)
    pool.pointee.renew(channels, settings, from: previous, scratch)
  }
}
