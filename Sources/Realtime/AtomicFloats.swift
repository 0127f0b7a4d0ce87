// Atomic floats, written by one thread and read by others.

import Synchronization

/// A fixed number of 32-bit floats, each read and written atomically, without order between them.
///
/// The value is a handle: copies name the same memory.
public struct AtomicFloats: @unchecked Sendable, BitwiseCopyable {
  @usableFromInline let values: UnsafeMutablePointer<Atomic<UInt32>>
  public let count: Int

  /// Allocates `count` zeros.
  /// - Thread: [control]
  @inlinable
  public init(count: Int) {
    self.count = count
    values = .allocate(capacity: max(count, 1))
    for index in 0..<max(count, 1) { (values + index).initialize(to: Atomic(0)) }
  }

  /// Frees the floats.
  /// - Thread: [control], once no thread uses the floats any more.
  @inlinable
  public func deallocate() {
    values.deinitialize(count: max(count, 1))
    values.deallocate()
  }

  /// A float by its index, below the count.
  /// - Thread: [any]
  @inlinable
  public subscript(index: Int) -> Float {
    @_noLocks @_noAllocation get {
      precondition(index >= 0 && index < count)
      return Float(bitPattern: values[index].load(ordering: .relaxed))
    }
    @_noLocks @_noAllocation nonmutating set {
      precondition(index >= 0 && index < count)
      values[index].store(newValue.bitPattern, ordering: .relaxed)
    }
  }
}
