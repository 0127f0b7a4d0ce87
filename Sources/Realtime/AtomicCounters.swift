// Counters for reports of the render side.

import Synchronization

/// A fixed number of counters that any thread may add to and read.
///
/// The value is a handle: copies name the same memory.
public struct AtomicCounters: @unchecked Sendable, BitwiseCopyable {
  @usableFromInline let values: UnsafeMutablePointer<Atomic<Int>>
  public let count: Int

  /// Allocates `count` counters at 0.
  /// - Thread: [control]
  @inlinable
  public init(count: Int) {
    self.count = count
    values = .allocate(capacity: count)
    for index in 0..<count { (values + index).initialize(to: Atomic(0)) }
  }

  /// Frees the counters.
  /// - Thread: [control], once no thread uses the counters any more.
  @inlinable
  public func deallocate() {
    values.deinitialize(count: count)
    values.deallocate()
  }

  /// Adds to a counter; an overflow wraps.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public func add(_ amount: Int, to index: Int) {
    precondition(index >= 0 && index < count)
    values[index].wrappingAdd(amount, ordering: .acquiringAndReleasing)
  }

  /// A counter by its index, below the count.
  /// - Thread: [any]
  @inlinable
  public subscript(index: Int) -> Int {
    @_noLocks @_noAllocation get {
      precondition(index >= 0 && index < count)
      return values[index].load(ordering: .acquiring)
    }
    @_noLocks @_noAllocation nonmutating set {
      precondition(index >= 0 && index < count)
      values[index].store(newValue, ordering: .releasing)
    }
  }

  /// Sets a counter and the next one, one after the other.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public func set(_ first: Int, _ second: Int, from index: Int) {
    precondition(index >= 0 && index &+ 1 < count)
    values[index].store(first, ordering: .releasing)
    values[index &+ 1].store(second, ordering: .releasing)
  }

  /// Sets a counter to 0 and returns its former value.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public func takeAll(_ index: Int) -> Int {
    precondition(index >= 0 && index < count)
    return values[index].exchange(0, ordering: .acquiringAndReleasing)
  }
}
