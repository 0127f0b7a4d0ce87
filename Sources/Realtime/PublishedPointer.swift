// How the control side hands a whole structure to the render side, and gets the old one back.

import Synchronization

/// A mailbox for one pointer. The control side publishes by atomic exchange; the render side takes
/// what is published and hands what it used before back, so that it is freed by the control side
/// and never under the render side's feet.
///
/// The value is a handle: copies name the same mailbox.
public struct PublishedPointer: @unchecked Sendable, BitwiseCopyable {
  /// Word 0 is the mailbox; the others hold what is retired, in no order. 0 means empty.
  @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt>>
  @usableFromInline let wordCount: Int

  /// - Parameter retireCapacity: how many structures may wait to be collected. The render side
  ///   takes nothing new while there is no room, so that nothing is ever lost.
  /// - Thread: [control]
  public init(retireCapacity: Int = 8) {
    wordCount = retireCapacity + 1
    words = .allocate(capacity: wordCount)
    for index in 0..<wordCount { (words + index).initialize(to: Atomic(0)) }
  }

  /// Frees the mailbox itself, not what it holds.
  /// - Thread: [control], once the render side is gone.
  public func deallocate() {
    words.deinitialize(count: wordCount)
    words.deallocate()
  }

  /// Publishes `pointer`; returns a pointer published before that the render side never took. It
  /// belongs to the caller again.
  /// - Thread: [control]
  public func publish(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(
      bitPattern: words[0].exchange(UInt(bitPattern: pointer), ordering: .acquiringAndReleasing))
  }

  /// Takes back what was published and not taken yet.
  /// - Thread: [control]
  public func withdraw() -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: words[0].exchange(0, ordering: .acquiringAndReleasing))
  }

  /// A structure that the render side no longer uses, or nil.
  /// - Thread: [control]
  public func collect() -> UnsafeMutableRawPointer? {
    for index in 1..<wordCount {
      let word = words[index].exchange(0, ordering: .acquiringAndReleasing)
      if word != 0 { return UnsafeMutableRawPointer(bitPattern: word) }
    }
    return nil
  }

  /// True while something published waits to be taken.
  /// - Thread: [any]
  @inlinable
  public var isPending: Bool {
    @_noLocks @_noAllocation get { words[0].load(ordering: .acquiring) != 0 }
  }

  /// Takes what is published and retires `current` in its place; nil when there is nothing new.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  public func take(retiring current: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if !isPending || (current != nil && !canRetire) { return nil }
    let new = words[0].exchange(0, ordering: .acquiringAndReleasing)
    guard let pointer = UnsafeMutableRawPointer(bitPattern: new) else { return nil }
    // There is room: only this thread fills the places, and `canRetire` saw a free one.
    if let current { _ = retire(current) }
    return pointer
  }

  /// True when `retire` has room.
  /// - Thread: [render]
  @inlinable
  public var canRetire: Bool {
    @_noLocks @_noAllocation get {
      for index in 1..<wordCount where words[index].load(ordering: .acquiring) == 0 { return true }
      return false
    }
  }

  /// Hands `pointer` back; false when there is no room: keep it and try again.
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
