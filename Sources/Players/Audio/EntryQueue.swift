// A linked list of entries.

import Realtime

/// A list of entries that can be cut and joined at any entry in constant time.
struct EntryQueue: BitwiseCopyable {
  private(set) var first: EntryPointer?
  private(set) var last: EntryPointer?

  @_noLocks @_noAllocation
  init() {}

  @_noLocks @_noAllocation
  mutating func append(_ entry: EntryPointer) {
    entry.pointee.next = nil
    entry.pointee.previous = last
    if let last { last.pointee.next = entry } else { first = entry }
    last = entry
  }

  /// Appends another queue and empties it.
  @_noLocks @_noAllocation
  mutating func append(_ other: inout EntryQueue) {
    guard let start = other.first else { return }
    start.pointee.previous = last
    if let last { last.pointee.next = start } else { first = start }
    last = other.last
    other = EntryQueue()
  }

  /// Removes and returns all entries before one of them.
  @_noLocks @_noAllocation
  mutating func takeAll(before entry: EntryPointer) -> EntryQueue {
    var taken = EntryQueue()
    guard let end = entry.pointee.previous else { return taken }
    taken.first = first
    taken.last = end
    end.pointee.next = nil
    entry.pointee.previous = nil
    first = entry
    return taken
  }

  @_noLocks @_noAllocation
  mutating func takeAll() -> EntryQueue {
    let taken = self
    self = EntryQueue()
    return taken
  }

  @_noLocks @_noAllocation
  mutating func takeFirst() -> EntryPointer? {
    guard let entry = first else { return nil }
    first = entry.pointee.next
    if let first { first.pointee.previous = nil } else { last = nil }
    entry.pointee.next = nil
    entry.pointee.previous = nil
    return entry
  }
}
