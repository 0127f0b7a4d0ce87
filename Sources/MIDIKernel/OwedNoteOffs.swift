// Note-offs that found no room and have to follow.

import Realtime
import UnitRender

/// How many note-offs of each channel and key are still to be sent. The value is a handle to the counts; their sum is
/// its own.
struct OwedNoteOffs: @unchecked Sendable, BitwiseCopyable {
  private let counts: UnsafeMutablePointer<UInt8>
  private(set) var total = 0

  /// - Thread: [control]
  static func allocate() -> OwedNoteOffs { OwedNoteOffs() }

  private init() {
    counts = .allocate(capacity: HeldNotes.places)
    counts.initialize(repeating: 0, count: HeldNotes.places)
  }

  /// - Thread: [control], once nobody uses the memory any more.
  func deallocate() { counts.deallocate() }

  @_noLocks @_noAllocation
  mutating func add(_ channel: Int, _ key: Int) {
    let place = HeldNotes.place(channel, key)
    if counts[place] < .max {
      counts[place] += 1
      total += 1
    }
  }

  @_noLocks @_noAllocation
  mutating func forget(channel: Int) {
    if total == 0 { return }
    var key = 0
    while key < 128 {
      let place = HeldNotes.place(channel, key)
      total -= Int(counts[place])
      counts[place] = 0
      key += 1
    }
  }

  @_noLocks @_noAllocation
  mutating func forgetAll() {
    var channel = 0
    while channel < 16 {
      forget(channel: channel)
      channel += 1
    }
  }

  /// Sends what is owed, as far as there is room.
  /// - Returns: the last event that was put in, `event` for none.
  /// - Complexity: O(channels · keys + notes owed)
  @_noLocks @_noAllocation
  mutating func send(
    after event: UnsafeMutablePointer<RenderEvent>?, at frame: FrameTime, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var last = event
    var place = 0
    while place < HeldNotes.places && total > 0 {
      while counts[place] > 0 {
        if list.room == 0 { return last }
        let status = 0x80 | UInt8(truncatingIfNeeded: place >> 7)
        let key = UInt8(truncatingIfNeeded: place & 127)
        if let added = list.insert(.midi(status, key, 64, at: frame), after: last) { last = added }
        counts[place] -= 1
        total -= 1
      }
      place += 1
    }
    return last
  }
}
