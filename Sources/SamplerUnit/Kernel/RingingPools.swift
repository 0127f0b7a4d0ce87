// Replaced pools that still sound.

import FluidSynthPool

/// Up to four pools, in the order of their replacement.
struct RingingPools: BitwiseCopyable {
  static var capacity: Int { @_noLocks @_noAllocation get { 4 } }

  /// Indices are masked to 2 bits: below `capacity`.
  private var pools = InlineArray<4, UnsafeMutablePointer<SynthPool>?>(repeating: nil)
  private(set) var count = 0

  @_noLocks @_noAllocation
  init() {}

  var isFull: Bool { @_noLocks @_noAllocation get { count == Self.capacity } }

  /// - Parameter index: below `count`.
  subscript(index: Int) -> UnsafeMutablePointer<SynthPool> {
    @_noLocks @_noAllocation get { pools[index & 3].unsafelyUnwrapped }
  }

  @_noLocks @_noAllocation
  func contains(_ pool: UnsafeMutablePointer<SynthPool>) -> Bool {
    var index = 0
    while index < count {
      if self[index] == pool { return true }
      index &+= 1
    }
    return false
  }

  /// Appends a pool; there must be room.
  @_noLocks @_noAllocation
  mutating func append(_ pool: UnsafeMutablePointer<SynthPool>) {
    pools[count & 3] = pool
    count &+= 1
  }

  @_noLocks @_noAllocation
  mutating func remove(at first: Int) {
    var index = first
    while index &+ 1 < count {
      pools[index & 3] = pools[(index &+ 1) & 3]
      index &+= 1
    }
    count &-= 1
    pools[count & 3] = nil
  }

  /// - Returns: false if the pool does not ring.
  @_noLocks @_noAllocation
  mutating func remove(_ pool: UnsafeMutablePointer<SynthPool>) -> Bool {
    var index = 0
    while index < count {
      if self[index] == pool {
        remove(at: index)
        return true
      }
      index &+= 1
    }
    return false
  }
}
