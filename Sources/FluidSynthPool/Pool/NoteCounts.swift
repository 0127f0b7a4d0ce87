// Note-ons of each channel and key that a synth still has to end.

/// Counts of note-ons by channel and key. The value is a handle: copies name the same memory.
package struct NoteCounts: @unchecked Sendable, BitwiseCopyable {
  private let counts: UnsafeMutablePointer<UInt8>

  /// - Thread: [control]
  init() {
    counts = .allocate(capacity: 16 * 128)
    counts.initialize(repeating: 0, count: 16 * 128)
  }

  /// - Thread: [control], after the last use of the counts.
  func deallocate() { counts.deallocate() }

  @_noLocks @_noAllocation
  package func add(_ channel: Int, _ key: Int) {
    let index = channel &* 128 &+ key
    if counts[index] < .max { counts[index] += 1 }
  }

  /// Ends one note; false if none was held.
  @_noLocks @_noAllocation
  package func remove(_ channel: Int, _ key: Int) -> Bool {
    let index = channel &* 128 &+ key
    if counts[index] == 0 { return false }
    counts[index] -= 1
    return true
  }

  /// Ends all notes of a key; false if none was held.
  @_noLocks @_noAllocation
  package func removeAll(_ channel: Int, _ key: Int) -> Bool {
    let index = channel &* 128 &+ key
    if counts[index] == 0 { return false }
    counts[index] = 0
    return true
  }

  @_noLocks @_noAllocation
  package func removeAll() {
    var index = 0
    while index < 16 * 128 {
      counts[index] = 0
      index &+= 1
    }
  }
}
