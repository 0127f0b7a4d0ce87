// Which entries program changes have selected.

import Realtime
import UnitModel

/// The entries that took over because of a program change, with their frames: the last ones, until
/// they are taken. The value is a handle: copies name the same memory. It outlives the kernels of a
/// unit.
struct PlayedEntryLog: Sendable, BitwiseCopyable {
  /// How many are told of those that came since the last time.
  static let capacity = 256
  /// Twice that, so that none is written over while it is read.
  private static var places: Int { @_noLocks @_noAllocation get { 512 } }
  /// Behind the places: how many there were, and how many of them were taken or passed over.
  private static var noted: Int { @_noLocks @_noAllocation get { 512 } }
  private static var taken: Int { @_noLocks @_noAllocation get { 513 } }

  /// Each place has a frame and, in the lowest 7 bits, a number.
  private let words = AtomicCounters(count: 514)

  /// - Thread: [control], once nobody uses it any more.
  func deallocate() { words.deallocate() }

  /// - Parameter number: 0 to 127.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func note(_ number: Int, at frame: FrameTime) {
    let count = words[Self.noted]
    words[count & (Self.places &- 1)] = Int(frame) &<< 7 | number
    words[Self.noted] = count &+ 1
  }

  /// Those since the last call, in their order.
  /// - Thread: [control], one at a time.
  func take() -> [PlayedEntry] {
    let end = words[Self.noted]
    let first = max(words[Self.taken], end - Self.capacity)
    words[Self.taken] = end
    return (first..<end).compactMap { index in
      let word = words[index & (Self.places - 1)]
      // What was written over meanwhile is another one.
      guard words[Self.noted] - index < Self.places else { return nil }
      return PlayedEntry(number: word & 0x7F, frame: FrameTime(word >> 7))
    }
  }
}
