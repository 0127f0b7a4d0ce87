// Publishing structures to the render side, and returning former ones.

import Synchronization

/// A mailbox for one pointer. The control side publishes by atomic exchange. The render side takes
/// the published pointer and retires the former one, so that the control side frees it when it is
/// no longer in use.
///
/// The value is a handle: copies name the same mailbox.
public struct PublishedPointer: @unchecked Sendable, BitwiseCopyable {
  /// Word 0 is the mailbox; the others hold retired pointers, in no order. 0 means empty.
  @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt>>
  @usableFromInline let wordCount: Int

  /// - Parameter retireCapacity: the number of structures that may wait to be collected. Without
  ///   room the render side takes nothing new, so no pointer is ever lost.
  /// - Thread: [control]
  public init(retireCapacity: Int = 8) {
    wordCount = retireCapacity + 1
    words = .allocate(capacity: wordCount)
    for index in 0..<wordCount { (words + index).initialize(to: Atomic(0)) }
  }

  /// Frees the mailbox itself, not the structures in it.
  /// - Thread: [control], once the render side is gone.
  public func deallocate() {
    words.deinitialize(count: wordCount)
    words.deallocate()
  }

  /// Publishes `pointer`. Returns the formerly published pointer if the render side never took it;
  /// nil otherwise. The returned pointer belongs to the caller again.
  /// - Thread: [control]
  public func publish(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(
      bitPattern: words[0].exchange(UInt(bitPattern: pointer), ordering: .acquiringAndReleasing))
  }

  /// Takes back the published pointer; nil if it was taken or there is none.
  /// - Thread: [control]
  public func withdraw() -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: words[0].exchange(0, ordering: .acquiringAndReleasing))
  }

  /// Returns a structure that the render side no longer uses; nil if there is none.
  /// - Thread: [control]
  public func collect() -> UnsafeMutableRawPointer? {
    for index in 1..<wordCount {
      let word = words[index].exchange(0, ordering: .acquiringAndReleasing)
      if word != 0 { return UnsafeMutableRawPointer(bitPattern: word) }
    }
    return nil
  }

  /// Whether a published pointer waits to be taken.
  /// - Thread: [any]
  @inlinable
  public var isPending: Bool {
    @_noLocks @_noAllocation get { words[0].load(ordering: .acquiring) != 0 }
  }

  /// Takes the published pointer and retires `current`; nil if there is none, or no room to retire.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  public func take(retiring current: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if !isPending || (current != nil && !canRetire) { return nil }
    let new = words[0].exchange(0, ordering: .acquiringAndReleasing)
    guard let pointer = UnsafeMutableRawPointer(bitPattern: new) else { return nil }
    // There is room: only this thread fills the slots, and `canRetire` saw a free one.
    if let current { _ = retire(current) }
    return pointer
  }

  /// Whether `retire` has room.
  /// - Thread: [render]
  @inlinable
  public var canRetire: Bool {
    @_noLocks @_noAllocation get {
      for index in 1..<wordCount where words[index].load(ordering: .acquiring) == 0 { return true }
      return false
    }
  }

  /// Returns `pointer` to the control side. False if there is no room: keep it and try again.
  /// - Thread: [render]. - Complexity: O(retireCapacity)
  @_noLocks @_noAllocation @inlinable
  public func retire(_ pointer: UnsafeMutableRawPointer) -> Bool {
    for index in 1..<wordCount where words[index].load(ordering: .acquiring) == 0 {
      words[index].store(UInt(bitPattern: pointer), ordering: .releasing)
      return true
    }
    return false
  }
}
