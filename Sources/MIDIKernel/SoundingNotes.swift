// The notes that a stage has begun by itself, each with the time of its end.

import Realtime
import UnitRender

/// Up to 512 notes. The value is a handle: copies name the same notes.
struct SoundingNotes: @unchecked Sendable, BitwiseCopyable {
  static var capacity: Int { @_noLocks @_noAllocation get { 512 } }

  private struct Note: BitwiseCopyable {
    var channel: UInt8 = 0
    var key: UInt8 = 0
    /// In the beats that a `BeatLine` counts as elapsed.
    var end = 0.0
    /// The note sounds for a frame at least.
    var earliestEnd: FrameTime = 0
  }

  private let notes: UnsafeMutablePointer<Note>
  private let used: UnsafeMutablePointer<Int>

  /// - Thread: [control]
  static func allocate() -> SoundingNotes { SoundingNotes() }

  private init() {
    notes = .allocate(capacity: Self.capacity)
    notes.initialize(repeating: Note(), count: Self.capacity)
    used = .allocate(capacity: 1)
    used.initialize(to: 0)
  }

  /// - Thread: [control], once nobody uses the notes any more.
  func deallocate() {
    notes.deallocate()
    used.deallocate()
  }

  var count: Int { @_noLocks @_noAllocation get { used.pointee } }
  var hasRoom: Bool { @_noLocks @_noAllocation get { count < Self.capacity } }

  @_noLocks @_noAllocation
  func append(channel: UInt8, key: UInt8, end: Double, notBefore earliestEnd: FrameTime) {
    notes[count] = Note(channel: channel, key: key, end: end, earliestEnd: earliestEnd)
    used.pointee += 1
  }

  /// The place of the note that ends first, −1 when there is none.
  @_noLocks @_noAllocation
  func first() -> Int {
    var first = count == 0 ? -1 : 0
    var index = 1
    while index < count {
      if notes[index].end < notes[first].end { first = index }
      index += 1
    }
    return first
  }

  /// The place of the oldest note of a channel and key, −1 when there is none.
  @_noLocks @_noAllocation
  func place(channel: UInt8, key: UInt8) -> Int {
    var index = 0
    while index < count {
      if notes[index].key == key && notes[index].channel == channel { return index }
      index += 1
    }
    return -1
  }

  /// Whether notes of a channel sound. - Complexity: O(notes)
  @_noLocks @_noAllocation
  func sounds(channel: Int) -> Bool {
    var index = 0
    while index < count {
      if Int(notes[index].channel) == channel { return true }
      index += 1
    }
    return false
  }

  /// The frame at which a note ends.
  @_noLocks @_noAllocation
  func end(of place: Int, on line: BeatLine) -> FrameTime {
    let frame = line.frame(ofElapsed: notes[place].end)
    return frame > notes[place].earliestEnd ? frame : notes[place].earliestEnd
  }

  @_noLocks @_noAllocation
  func noteOff(of place: Int, at frame: FrameTime) -> RenderEvent {
    .midi(0x80 | notes[place].channel, notes[place].key, 64, at: frame)
  }

  /// Keeps the others in the order in which they began.
  @_noLocks @_noAllocation
  func remove(_ place: Int) {
    var index = place + 1
    while index < count {
      notes[index - 1] = notes[index]
      index += 1
    }
    used.pointee -= 1
  }

  /// Forgets the notes of a channel, which something else has ended.
  @_noLocks @_noAllocation
  func forget(channel: Int) {
    var kept = 0
    var index = 0
    while index < count {
      if Int(notes[index].channel) != channel {
        notes[kept] = notes[index]
        kept += 1
      }
      index += 1
    }
    used.pointee = kept
  }

  @_noLocks @_noAllocation
  func forgetAll() { used.pointee = 0 }
}
