// A heap of slots by due time.

/// Slots ordered by their due times: a binary heap that knows the index of each slot.
///
/// The value is a handle: copies name the same heap.
struct SlotHeap: @unchecked Sendable, BitwiseCopyable {
  private struct Slot: BitwiseCopyable {
    var due = 0.0
    /// The order among slots due at one time: the lower one is first.
    var order: UInt64 = 0
    /// The slot's index in the heap; −1 while it is not in it.
    var position = -1
  }

  private let slots: UnsafeMutablePointer<Slot>
  private let heap: UnsafeMutablePointer<Int>
  private let used: UnsafeMutablePointer<Int>

  /// - Thread: [control]
  static func allocate(capacity: Int) -> SlotHeap { SlotHeap(capacity) }

  private init(_ capacity: Int) {
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: Slot(), count: capacity)
    heap = .allocate(capacity: capacity)
    heap.initialize(repeating: 0, count: capacity)
    used = .allocate(capacity: 1)
    used.initialize(to: 0)
  }

  /// - Thread: [control], after the last use of the heap.
  func deallocate() {
    slots.deallocate()
    heap.deallocate()
    used.deallocate()
  }

  /// The slot that is due first; −1 for none.
  var first: Int { @_noLocks @_noAllocation get { used.pointee > 0 ? heap[0] : -1 } }

  @_noLocks @_noAllocation
  func due(_ slot: Int) -> Double { slots[slot].due }

  @_noLocks @_noAllocation
  func contains(_ slot: Int) -> Bool { slots[slot].position >= 0 }

  /// Adds a slot that is not in the heap. - Complexity: O(log slots)
  @_noLocks @_noAllocation
  func insert(_ slot: Int, due: Double, order: UInt64) {
    slots[slot].due = due
    slots[slot].order = order
    used.pointee &+= 1
    rise(slot, from: used.pointee &- 1)
  }

  /// Removes a slot, if it is in the heap. - Complexity: O(log slots)
  @_noLocks @_noAllocation
  func remove(_ slot: Int) {
    let position = slots[slot].position
    if position < 0 { return }
    slots[slot].position = -1
    used.pointee &-= 1
    if position == used.pointee { return }
    let last = heap[used.pointee]
    if position > 0 && isBefore(last, heap[(position &- 1) / 2]) {
      rise(last, from: position)
    } else {
      sink(last, from: position)
    }
  }

  @_noLocks @_noAllocation
  private func isBefore(_ slot: Int, _ other: Int) -> Bool {
    let (one, two) = (slots[slot], slots[other])
    return one.due < two.due || (one.due == two.due && one.order < two.order)
  }

  @_noLocks @_noAllocation
  private func put(_ slot: Int, _ position: Int) {
    heap[position] = slot
    slots[slot].position = position
  }

  @_noLocks @_noAllocation
  private func rise(_ slot: Int, from position: Int) {
    var position = position
    while position > 0 {
      let above = heap[(position &- 1) / 2]
      if !isBefore(slot, above) { break }
      put(above, position)
      position = (position &- 1) / 2
    }
    put(slot, position)
  }

  @_noLocks @_noAllocation
  private func sink(_ slot: Int, from position: Int) {
    var position = position
    while 2 &* position &+ 1 < used.pointee {
      var below = 2 &* position &+ 1
      if below &+ 1 < used.pointee && isBefore(heap[below &+ 1], heap[below]) { below &+= 1 }
      if !isBefore(heap[below], slot) { break }
      put(heap[below], position)
      position = below
    }
    put(slot, position)
  }
}
