// A bounded queue between one sending and one receiving thread.

import Synchronization

/// Positions of a ring, each on a separate cache line, so that the two threads do not share one.
@usableFromInline
struct RingPositions: ~Copyable {
  @usableFromInline let written = Atomic<Int>(0)
  @usableFromInline let padding: InlineArray<15, UInt64> = .init(repeating: 0)
  @usableFromInline let read = Atomic<Int>(0)
  @usableFromInline init() {}
}

/// A bounded single-producer, single-consumer queue. It never blocks, and never allocates after its
/// initializer. Every element sent is received once, in order.
///
/// The value is a handle: copies name the same queue. One thread at a time may send, one may
/// receive.
///
/// The methods lack `@_noLocks @_noAllocation`: the compiler refuses these on unspecialised
/// generics, and instead checks each specialisation that annotated code calls.
public struct Ring<Element: BitwiseCopyable>: @unchecked Sendable, BitwiseCopyable {
  @usableFromInline let positions: UnsafeMutablePointer<RingPositions>
  @usableFromInline let elements: UnsafeMutablePointer<Element>
  @usableFromInline let mask: Int

  /// Allocates a queue for at least `capacity` elements (the next power of two).
  /// - Thread: [control]
  @inlinable
  public init(capacity: Int) {
    precondition(capacity > 0 && capacity < 1 << 30, "a ring's capacity is 1 to 2^30 elements")
    var size = 1
    while size < capacity { size <<= 1 }
    positions = .allocate(capacity: 1)
    positions.initialize(to: RingPositions())
    elements = .allocate(capacity: size)
    mask = size - 1
  }

  /// Frees the queue and drops its elements.
  /// - Thread: [control], once neither side uses the ring any more.
  @inlinable
  public func deallocate() {
    positions.deinitialize(count: 1)
    positions.deallocate()
    elements.deallocate()
  }

  /// The number of elements that fit.
  @inlinable
  public var capacity: Int {
    mask + 1
  }

  /// The number of waiting elements: exact for the receiving thread while no thread sends,
  /// otherwise a lower bound.
  @inlinable
  public var count: Int {
    positions.pointee.written.load(ordering: .acquiring)
      &- positions.pointee.read.load(ordering: .acquiring)
  }

  /// Appends `element`. False if the ring is full; the element was then not appended.
  /// - Thread: the sending thread. - Complexity: O(1)
  @inlinable
  public func trySend(_ element: Element) -> Bool {
    let written = positions.pointee.written.load(ordering: .relaxed)
    let read = positions.pointee.read.load(ordering: .acquiring)
    if written &- read > mask { return false }
    elements[written & mask] = element
    positions.pointee.written.store(written &+ 1, ordering: .releasing)
    return true
  }

  /// Removes and returns the oldest element; nil if the ring is empty.
  /// - Thread: the receiving thread. - Complexity: O(1)
  @inlinable
  public func tryReceive() -> Element? {
    let read = positions.pointee.read.load(ordering: .relaxed)
    let written = positions.pointee.written.load(ordering: .acquiring)
    if written == read { return nil }
    let element = elements[read & mask]
    positions.pointee.read.store(read &+ 1, ordering: .releasing)
    return element
  }
}
