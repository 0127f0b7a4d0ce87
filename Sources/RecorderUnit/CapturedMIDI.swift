// The queue of MIDI from the render thread to a reading thread.

import Realtime
import UnitRender

/// A MIDI message of a take, or a part of a longer one.
///
/// Tempo and time signature are messages of the form that files give them: FF 51 and FF 58.
struct CapturedMIDI: BitwiseCopyable {
  /// The most bytes of a part.
  static var mostBytes: Int { @_noLocks @_noAllocation get { 24 } }

  /// The take's number, from 1.
  let take: Int
  /// The frame within the take.
  let offset: Int
  let isFirst: Bool
  let isLast: Bool
  private let count: UInt8
  private var content = InlineArray<24, UInt8>(repeating: 0)

  /// Copies the next part of a message.
  ///
  /// - Parameters:
  ///   - bytes: the message.
  ///   - done: the count of its bytes in earlier parts.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  init(_ bytes: UnsafePointer<UInt8>, count: Int, done: Int, take: Int, offset: Int) {
    let part = min(count &- done, Self.mostBytes)
    (self.take, self.offset) = (take, offset)
    isFirst = done == 0
    isLast = done &+ part == count
    self.count = UInt8(truncatingIfNeeded: part)
    var index = 0
    while index < part {
      content[unchecked: index] = bytes[done &+ index]
      index &+= 1
    }
  }

  /// A whole message of at most eight bytes.
  ///
  /// - Parameter word: its bytes, the first one in the lowest eight bits.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  init(word: UInt64, count: Int, take: Int, offset: Int) {
    (self.take, self.offset) = (take, offset)
    (isFirst, isLast) = (true, true)
    self.count = UInt8(truncatingIfNeeded: count)
    var index = 0
    while index < 8 {
      content[unchecked: index] = UInt8(truncatingIfNeeded: word >> UInt64(8 &* index))
      index &+= 1
    }
  }

  /// - Thread: [any]
  var bytes: [UInt8] { (0..<Int(count)).map { content[$0] } }
}

/// A ring of messages, and the count of those without room. The value is a handle: copies name the
/// same memory.
struct CapturedMIDIRing: @unchecked Sendable, BitwiseCopyable {
  private let parts: Ring<CapturedMIDI>
  private let lost = AtomicCounters(count: 1)

  /// - Thread: [control]
  init(capacity: Int) {
    parts = Ring(capacity: capacity)
    // Touches every page, so that the render thread causes no page fault.
    while parts.trySend(CapturedMIDI(word: 0, count: 0, take: 0, offset: 0)) {}
    while parts.tryReceive() != nil {}
  }

  /// - Thread: [control], once neither side uses it any more.
  func deallocate() {
    parts.deallocate()
    lost.deallocate()
  }

  /// Sends a message, in parts if it is long. The reader drops one whose last part finds no room.
  ///
  /// - Thread: [render]. - Complexity: O(count)
  @_noLocks @_noAllocation
  func send(_ bytes: UnsafePointer<UInt8>, count: Int, take: Int, offset: Int) {
    var done = 0
    while done < count {
      let part = CapturedMIDI(bytes, count: count, done: done, take: take, offset: offset)
      if !send(part) { return }
      done &+= CapturedMIDI.mostBytes
    }
  }

  /// Sends a part. False if it found no room.
  ///
  /// - Thread: [render]
  @_noLocks @_noAllocation @discardableResult
  func send(_ part: CapturedMIDI) -> Bool {
    if parts.trySend(part) { return true }
    lost.add(1, to: 0)
    return false
  }

  /// The number of messages that found no room.
  /// - Thread: [any]
  var lostCount: Int { lost[0] }

  /// Returns the oldest part and removes it; nil if there is none.
  /// - Thread: the reading one
  func next() -> CapturedMIDI? { parts.tryReceive() }

  /// Memory of its messages, in bytes.
  var byteCount: Int { parts.capacity * MemoryLayout<CapturedMIDI>.stride }
}
