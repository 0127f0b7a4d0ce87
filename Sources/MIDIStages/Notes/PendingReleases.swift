// Releases of notes and pedals that found no room in a list.

import Realtime
import UnitRender

/// Note-offs and pedal releases that a stage and its bypass still have to send downstream. They
/// precede all other events of a later call. Notes and pedals also follow a parameter event of the
/// stage, since its setting may have ended them.
struct PendingReleases: BitwiseCopyable {
  /// The notes and pedals that are to end.
  private let notes = HeldNotes.allocate()
  private var pedals = PedalSet()
  /// Whether there may be notes to end.
  private var hasNotes = false
  /// The channels, as bits, of which all notes and pedals are to end.
  private(set) var channels: UInt16 = 0

  /// - Thread: [control]
  init() {}

  /// - Thread: [control], after the last use of the memory.
  func deallocate() { notes.deallocate() }

  var isEmpty: Bool {
    @_noLocks @_noAllocation get { channels == 0 && !hasNotes && pedals.isEmpty }
  }

  /// - Parameter identity: the identity of the note that is to end.
  @_noLocks @_noAllocation
  mutating func add(note index: Int, _ identity: NoteIdentity) {
    if notes.press(index, identity, tag: 0) {
      hasNotes = true
    } else {
      addAll(of: UInt16(0).with(bit: index >> 7, true))
    }
  }

  /// - Parameter pedals: bits from controller 64 on.
  @_noLocks @_noAllocation
  mutating func add(pedals: UInt8, of channel: Int) {
    self.pedals[channel] |= pedals
  }

  /// - Parameter channels: as bits.
  @_noLocks @_noAllocation
  mutating func addAll(of channels: UInt16) { self.channels |= channels }

  @_noLocks @_noAllocation
  mutating func forgetNotes(of channel: Int) { notes.forget(channel: channel) }

  @_noLocks @_noAllocation
  mutating func forgetPedals(of channel: Int) { pedals[channel] = 0 }

  @_noLocks @_noAllocation
  mutating func forgetAll() {
    notes.forgetAll()
    pedals.removeAll()
    channels = 0
  }

  /// Inserts pending note-offs and pedal releases until the list is full.
  /// - Parameter event: the parameter event before, nil at the start of a call.
  /// - Returns: the last inserted event; `event` for none.
  @_noLocks @_noAllocation
  mutating func settle(
    after event: UnsafeMutablePointer<RenderEvent>?, at frame: FrameTime, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var last = settleNotes(after: event, at: frame, in: list)
    while !pedals.isEmpty && list.room > 0 {
      let channel = pedals.channels.trailingZeroBitCount
      let number = 64 + UInt8(truncatingIfNeeded: pedals[channel].trailingZeroBitCount)
      let up = RenderEvent.midi(0xB0 | UInt8(truncatingIfNeeded: channel), number, 0, at: frame)
      last = list.insert(up, after: last) ?? last
      pedals[channel] &= pedals[channel] - 1
    }
    // Releases of whole channels are left to a new list: this one is full, or was.
    if event != nil { return last }
    while channels != 0 && list.room >= 7 {
      let status = 0xB0 | UInt8(truncatingIfNeeded: channels.trailingZeroBitCount)
      var number: UInt8 = 64
      while number <= 69 {
        last = list.insert(.midi(status, number, 0, at: frame), after: last) ?? last
        number &+= 1
      }
      last =
        list.insert(.midi(status, ControllerNumber.allNotesOff, 0, at: frame), after: last) ?? last
      channels &= channels - 1
    }
    return last
  }

  @_noLocks @_noAllocation
  private mutating func settleNotes(
    after event: UnsafeMutablePointer<RenderEvent>?, at frame: FrameTime, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var last = event
    while hasNotes {
      let index = notes.firstIndex(in: NoteSet.all)
      hasNotes = index >= 0
      if !hasNotes || list.room == 0 { return last }
      let status = 0x80 | UInt8(truncatingIfNeeded: index >> 7)
      let key = UInt8(truncatingIfNeeded: index & 127)
      guard let off = list.insert(.midi(status, key, 64, at: frame), after: last) else {
        return last
      }
      // The note-off gets its note's identity.
      _ = notes.release(index, by: off)
      last = off
    }
    return last
  }
}
