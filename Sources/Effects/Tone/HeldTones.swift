// The held keys, in the order in which they were pressed.

/// Up to 128 keys; the one pressed last is at the end.
///
/// The value owns memory: `deallocate` frees it.
struct HeldTones: BitwiseCopyable {
  private let keys: UnsafeMutablePointer<UInt8>
  private(set) var count = 0

  /// - Thread: [control]
  init() {
    keys = .allocate(capacity: 128)
    keys.initialize(repeating: 0, count: 128)
  }

  /// - Thread: [control]
  func deallocate() { keys.deallocate() }

  /// The held key that was pressed last; nil if none is held.
  var last: Int? {
    @_noLocks @_noAllocation get { count > 0 ? Int(keys[count &- 1]) : nil }
  }

  /// Adds a key at the end.
  /// - Parameter key: 0 to 127.
  @_noLocks @_noAllocation
  mutating func press(_ key: Int) {
    release(key)
    keys[count] = UInt8(truncatingIfNeeded: key)
    count &+= 1
  }

  @_noLocks @_noAllocation
  mutating func release(_ key: Int) {
    var (kept, index) = (0, 0)
    while index < count {
      if Int(keys[index]) != key {
        keys[kept] = keys[index]
        kept &+= 1
      }
      index &+= 1
    }
    count = kept
  }

  @_noLocks @_noAllocation
  mutating func releaseAll() { count = 0 }
}
