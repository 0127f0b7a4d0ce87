// Exchange between the two sides of a player.

import Realtime

/// A notice of the render side: loops of an entry, or a list of finished entries.
struct PlayerNotice: BitwiseCopyable {
  /// The first entry of the list, or the entry that loops.
  var first: EntryPointer
  /// Empty for a list.
  var loops: LoopRun

  @_noLocks @_noAllocation
  init(first: EntryPointer, loops: LoopRun) {
    self.first = first
    self.loops = loops
  }
}

/// Memory shared by the control side and the kernel.
///
/// The value is a handle: copies refer to the same memory.
struct PlayerExchange: @unchecked Sendable, BitwiseCopyable {
  /// Link to the entry scheduled first.
  let start = EntryLink()
  let news = Ring<PlayerNotice>(capacity: 1024)
  private let words = AtomicCounters(count: 3)

  /// - Thread: [control], once neither side uses it any more.
  func deallocate() {
    start.deallocate()
    news.deallocate()
    words.deallocate()
  }

  /// The frame time after the last cycle.
  /// - Thread: [any]
  var renderedTo: FrameTime {
    @_noLocks @_noAllocation get { FrameTime(words[0]) }
  }

  /// Position of the player's timeline, in frames.
  /// - Thread: [any]
  var time: Int {
    @_noLocks @_noAllocation get { words[1] }
  }

  /// Sets the frame time after the last cycle, and then the position there.
  @_noLocks @_noAllocation
  func didRender(to frame: FrameTime, time: Int) {
    words.set(Int(truncatingIfNeeded: frame), time, from: 0)
  }

  /// Number of the last stop made while no render resources were allocated; 0 without one.
  /// - Thread: [any]
  var heldStop: UInt64 {
    @_noLocks @_noAllocation get { UInt64(truncatingIfNeeded: words[2]) }
    @_noLocks @_noAllocation nonmutating set { words[2] = Int(truncatingIfNeeded: newValue) }
  }
}
