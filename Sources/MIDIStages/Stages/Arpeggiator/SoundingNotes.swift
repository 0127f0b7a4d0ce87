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
  private let indices: UnsafeMutablePointer<Int16>
  /// The ends of the slots, in the elapsed beats of a `BeatSegment`.
  private let ends: SlotHeap

  /// - Thread: [control]
  static func allocate() -> SoundingNotes { SoundingNotes() }

  private init() {
    notes = .allocate(capacity: Self.capacity)
    notes.initialize(repeating: Note(), count: Self.capacity)
    for index in 0..<Self.capacity - 1 { notes[index].next = index + 1 }
    common = .allocate(capacity: 1)
    common.initialize(to: Common())
    indices = .allocate(capacity: HeldNotes.indexCount)
    indices.initialize(repeating: -1, count: HeldNotes.indexCount)
    ends = .allocate(capacity: Self.capacity)
  }

  /// - Thread: [control], after the last use of the notes.
  func deallocate() {
    notes.deallocate()
    common.deallocate()
    indices.deallocate()
    ends.deallocate()
  }

  var hasRoom: Bool { @_noLocks @_noAllocation get { common.pointee.free >= 0 } }

  /// Adds a note of a channel and key that has none; there must be room.
  /// - Complexity: O(log notes)
  @_noLocks @_noAllocation
  func append(channel: UInt8, key: UInt8, end: Double, notBefore earliestEnd: FrameTime) {
    let index = common.pointee.free
    common.pointee.free = notes[index].next
    common.pointee.count &+= 1
    common.pointee.order &+= 1
    common.pointee.channels[Int(channel & 15)] += 1
    notes[index] = Note(channel: channel, key: key, earliestEnd: earliestEnd)
    let channelAndKey = HeldNotes.index(Int(channel), Int(key))
    indices[channelAndKey] = Int16(truncatingIfNeeded: index)
    common.pointee.marks.insert(channelAndKey)
    ends.insert(index, due: end, order: common.pointee.order)
  }

  /// The slot of the note that ends first, of several the oldest; −1 for none.
  @_noLocks @_noAllocation
  func first() -> Int { ends.first }

  /// The slot of the note of a channel and key; −1 for none.
  @_noLocks @_noAllocation
  func index(channel: UInt8, key: UInt8) -> Int {
    Int(indices[HeldNotes.index(Int(channel), Int(key))])
  }

  /// Whether notes of a channel sound.
  @_noLocks @_noAllocation
  func sounds(channel: Int) -> Bool { common.pointee.channels[channel & 15] > 0 }

  /// The frame at which a note ends.
  @_noLocks @_noAllocation
  func end(of index: Int, on line: BeatSegment) -> FrameTime {
    let frame = line.frame(ofElapsed: ends.due(index))
    return frame > notes[index].earliestEnd ? frame : notes[index].earliestEnd
  }

  @_noLocks @_noAllocation
  func noteOff(of index: Int, at frame: FrameTime) -> RenderEvent {
    .midi(0x80 | notes[index].channel, notes[index].key, 64, at: frame)
  }

  /// - Complexity: O(log notes)
  @_noLocks @_noAllocation
  func remove(_ index: Int) {
    let note = notes[index]
    ends.remove(index)
    indices[HeldNotes.index(Int(note.channel), Int(note.key))] = -1
    common.pointee.channels[Int(note.channel & 15)] -= 1
    common.pointee.count &-= 1
    notes[index].next = common.pointee.free
    common.pointee.free = index
  }

  /// Forgets the notes of a channel, which another message has ended.
  /// - Complexity: O(notes · log notes) of those begun there since the last time
  @_noLocks @_noAllocation
  func forget(channel: Int) { forget(words: NoteSet.words(ofChannel: channel)) }

  @_noLocks @_noAllocation
  func forgetAll() { forget(words: NoteSet.all) }

  @_noLocks @_noAllocation
  private func forget(words: UInt32) {
    var marked = common.pointee.marks.takeFirst(in: words)
    while marked >= 0 {
      if indices[marked] >= 0 { remove(Int(indices[marked])) }
      marked = common.pointee.marks.takeFirst(in: words)
    }
  }
}
