// Parameters that controllers have moved.

import Realtime
import Synchronization
public import UnitModel

/// A parameter that controllers have moved.
public struct ControlMove: Sendable {
  public let unit: AudioUnit
  public let address: ParameterAddress
  /// The frame of the first move since the last report.
  public let firstFrame: Int64
  /// The frame of the last move up to now.
  public let lastFrame: Int64
}

/// First and last moves of parameters since the last report, by slot. The value is a handle: copies
/// name the same memory.
struct ControlMoves: @unchecked Sendable, BitwiseCopyable {
  private struct Slot: ~Copyable {
    /// The generation of the parameter that it belongs to.
    let generation = Atomic(-1)
    /// The frame; `.min` if there is none to take.
    let first = Atomic(Int64.min)
    let last = Atomic(Int64.min)
  }

  private let slots: UnsafeMutablePointer<Slot>
  private let count: UnsafeMutablePointer<Atomic<Int>>
  private let capacity: Int

  /// - Thread: [control]
  init(capacity: Int) {
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
    for index in 0..<capacity { (slots + index).initialize(to: Slot()) }
    count = .allocate(capacity: 1)
    count.initialize(to: Atomic(0))
  }

  /// - Thread: [control], once the render side is gone.
  func deallocate() {
    slots.deinitialize(count: capacity)
    slots.deallocate()
    count.deinitialize(count: 1)
    count.deallocate()
  }

  /// The number of moves; unchanged if nothing has moved since.
  var total: Int { count.pointee.load(ordering: .acquiring) }

  /// - Parameter slot: below the capacity.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func note(_ slot: Int, _ generation: Int, at frame: FrameTime) {
    slots[slot].generation.store(generation, ordering: .releasing)
    // The last one first: a reader of the first one then sees it, or gets another report.
    slots[slot].last.store(frame, ordering: .releasing)
    if slots[slot].first.load(ordering: .acquiring) == .min {
      slots[slot].first.store(frame, ordering: .releasing)
    }
    count.pointee.wrappingAdd(1, ordering: .releasing)
  }

  /// - Returns: the frames; nil if nothing has moved since the last call.
  /// - Thread: [control], one at a time.
  func take(_ slot: Int, _ generation: Int) -> (first: Int64, last: Int64)? {
    let first = slots[slot].first.exchange(.min, ordering: .acquiringAndReleasing)
    guard first != .min, slots[slot].generation.load(ordering: .acquiring) == generation else {
      return nil
    }
    return (first, max(first, slots[slot].last.load(ordering: .acquiring)))
  }
}
