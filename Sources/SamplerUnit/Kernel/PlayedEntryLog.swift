// A log of the entries selected by program changes.

import Realtime
import UnitModel

/// The entries that took over by a program change, with their frames: the last ones, until they are
/// taken. The value is a handle: copies refer to the same memory. It outlives the kernels of a
/// unit.
struct PlayedEntryLog: Sendable, BitwiseCopyable {
  /// The most entries returned by a call of `take`.
  static let capacity = 256
  /// Twice `capacity`, so that no slot is overwritten while it is read.
  private static var slotCount: Int { @_noLocks @_noAllocation get { 512 } }
  /// Indices after the slots: the counts of noted entries, and of those taken or skipped.
  private static var noted: Int { @_noLocks @_noAllocation get { 512 } }
  private static var taken: Int { @_noLocks @_noAllocation get { 513 } }

  /// Each slot has a frame and, in the lowest 7 bits, a number.
  private let words = AtomicCounters(count: 514)

  /// - Thread: [control], once nothing uses it any more.
  func deallocate() { words.deallocate() }

  /// - Parameter number: 0 to 127.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func note(_ number: Int, at frame: FrameTime) {
    let count = words[Self.noted]
    words[count & (Self.slotCount &- 1)] = Int(frame) &<< 7 | number
    words[Self.noted] = count &+ 1
  }

  /// Returns the entries since the last call, in order.
  /// - Thread: [control], one at a time.
  func take() -> [PlayedEntry] {
    let end = words[Self.noted]
    let first = max(words[Self.taken], end - Self.capacity)
    words[Self.taken] = end
    return (first..<end).compactMap { index in
      let word = words[index & (Self.slotCount - 1)]
      // Skips slots that were overwritten meanwhile.
      guard words[Self.noted] - index < Self.slotCount else { return nil }
      return PlayedEntry(number: word & 0x7F, frame: FrameTime(word >> 7))
    }
  }
}
