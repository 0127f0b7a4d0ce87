// What the two sides of a player tell each other.

import Realtime

/// What the render side tells: loops of an entry, or entries that are finished, as a list.
struct PlayerNotice: BitwiseCopyable {
  /// The first of the list, or the entry that loops.
  var first: EntryPointer
  /// None for a list.
  var loops: LoopRun

  @_noLocks @_noAllocation
  init(first: EntryPointer, loops: LoopRun) {
    self.first = first
    self.loops = loops
  }
}

/// The way from the control side to the kernel, and back.
///
/// The value is a handle: copies name the same memory.
struct PlayerExchange: @unchecked Sendable, BitwiseCopyable {
  /// The way to what was scheduled first.
  let start = EntryLink()
  let news = Ring<PlayerNotice>(capacity: 1024)
  private let words = AtomicCounters(count: 2)

  /// - Thread: [control], once neither side uses it any more.
  func deallocate() {
    start.deallocate()
    news.deallocate()
    words.deallocate()
  }

  /// The frame time behind the last cycle.
  /// - Thread: [any]
  var renderedTo: FrameTime {
    @_noLocks @_noAllocation get { FrameTime(words[0]) }
    @_noLocks @_noAllocation nonmutating set { words[0] = Int(truncatingIfNeeded: newValue) }
  }

  /// Where the player's timeline is, in frames.
  /// - Thread: [any]
  var time: Int {
    @_noLocks @_noAllocation get { words[1] }
    @_noLocks @_noAllocation nonmutating set { words[1] = newValue }
  }
}
