// The notes that a stage generates, each with the time of its end.

import Realtime
import UnitRender

/// Up to 512 notes, one per channel and key. The value is a handle: copies name the same notes.
struct SoundingNotes: @unchecked Sendable, BitwiseCopyable {
  static var capacity: Int { @_noLocks @_noAllocation get { 512 } }

  private struct Note: BitwiseCopyable {
    var channel: UInt8 = 0
    var key: UInt8 = 0
    /// The first frame on which the note may end, so that it sounds for at least a frame.
    var earliestEnd: FrameTime = 0
    /// The next free slot; −1 for none.
    var next = -1
  }

  private struct Common: BitwiseCopyable {
    var count = 0
    var order: UInt64 = 0
    var free = 0
    var channels = InlineArray<16, Int>(repeating: 0)
    /// The channels and keys that have notes.
    var marks = NoteSet()

    /// - Thread: [control]
    init() {}
  }

  private let notes: UnsafeMutablePointer<Note>
  private let common: UnsafeMutablePointer<Common>
  /// The slot of the note of each channel and key; −1 for none.
  private let places: UnsafeMutablePointer<Int16>
  /// The ends of the slots, in the elapsed beats of a `BeatSegment`.
  private let ends: SlotHeap

  /// - Thread: [control]
  static func allocate() -> SoundingNotes { SoundingNotes() }

  private init() {
    notes = .allocate(capacity: Self.capacity)
    notes.initialize(repeating: Note(), count: Self.capacity)
    for place in 0..<Self.capacity - 1 { notes[place].next = place + 1 }
    common = .allocate(capacity: 1)
    common.initialize(to: Common())
    places = .allocate(capacity: HeldNotes.places)
    places.initialize(repeating: -1, count: HeldNotes.places)
    ends = .allocate(capacity: Self.capacity)
  }

  /// - Thread: [control], after the last use of the notes.
  func deallocate() {
    notes.deallocate()
    common.deallocate()
    places.deallocate()
    ends.deallocate()
  }

  var hasRoom: Bool { @_noLocks @_noAllocation get { common.pointee.free >= 0 } }

  /// Adds a note of a channel and key that has none; there must be room.
  /// - Complexity: O(log notes)
  @_noLocks @_noAllocation
  func append(channel: UInt8, key: UInt8, end: Double, notBefore earliestEnd: FrameTime) {
    let place = common.pointee.free
    common.pointee.free = notes[place].next
    common.pointee.count &+= 1
    common.pointee.order &+= 1
    common.pointee.channels[Int(channel & 15)] += 1
    notes[place] = Note(channel: channel, key: key, earliestEnd: earliestEnd)
    let channelAndKey = HeldNotes.place(Int(channel), Int(key))
    places[channelAndKey] = Int16(truncatingIfNeeded: place)
    common.pointee.marks.insert(channelAndKey)
    ends.insert(place, due: end, order: common.pointee.order)
  }

  /// The slot of the note that ends first, of several the oldest; −1 for none.
  @_noLocks @_noAllocation
  func first() -> Int { ends.first }

  /// The slot of the note of a channel and key; −1 for none.
  @_noLocks @_noAllocation
  func place(channel: UInt8, key: UInt8) -> Int {
    Int(places[HeldNotes.place(Int(channel), Int(key))])
  }

  /// Whether notes of a channel sound.
  @_noLocks @_noAllocation
  func sounds(channel: Int) -> Bool { common.pointee.channels[channel & 15] > 0 }

  /// The frame at which a note ends.
  @_noLocks @_noAllocation
  func end(of place: Int, on line: BeatSegment) -> FrameTime {
    let frame = line.frame(ofElapsed: ends.due(place))
    return frame > notes[place].earliestEnd ? frame : notes[place].earliestEnd
  }

  @_noLocks @_noAllocation
  func noteOff(of place: Int, at frame: FrameTime) -> RenderEvent {
    .midi(0x80 | notes[place].channel, notes[place].key, 64, at: frame)
  }

  /// - Complexity: O(log notes)
  @_noLocks @_noAllocation
  func remove(_ place: Int) {
    let note = notes[place]
    ends.remove(place)
    places[HeldNotes.place(Int(note.channel), Int(note.key))] = -1
    common.pointee.channels[Int(note.channel & 15)] -= 1
    common.pointee.count &-= 1
    notes[place].next = common.pointee.free
    common.pointee.free = place
  }

  /// Forgets the notes of a channel, which another message has ended.
  /// - Complexity: O(notes · log notes) of those begun there since the last time
  @_noLocks @_noAllocation
  func forget(channel: Int) { forget(words: NoteSet.words(ofChannel: channel)) }

  @_noLocks @_noAllocation
  func forgetAll() { forget(words: NoteSet.all) }

  @_noLocks @_noAllocation
  private func forget(words: UInt32) {
    var marked = common.pointee.marks.takePlace(in: words)
    while marked >= 0 {
      if places[marked] >= 0 { remove(Int(places[marked])) }
      marked = common.pointee.marks.takePlace(in: words)
    }
  }
}
