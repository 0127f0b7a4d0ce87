// The keys of an arpeggio.

import Realtime

/// A key of an arpeggio.
struct ArpeggioKey: BitwiseCopyable {
  var channel: UInt8 = 0
  var key: UInt8 = 0
  var velocity: UInt8 = 0
  /// The number of its note-ons that wait for their note-off; 0 if only a latch or pedal holds it.
  var presses: UInt16 = 0
  /// The number of its first press, among all presses.
  fileprivate var stamp = 0
}

/// Up to 128 keys, in the order of their presses and in the order of their pitches.
///
/// They are a set of bits, sorted when a step asks for one of them. Thousands of keys may be added
/// and removed between two steps.
///
/// The value is a handle: copies name the same keys.
struct ArpeggioKeys: @unchecked Sendable, BitwiseCopyable {
  static var capacity: Int { @_noLocks @_noAllocation get { 128 } }
  /// The number of indices: a key's index is 16 times its number plus its channel.
  private static var indexCount: Int { @_noLocks @_noAllocation get { 2048 } }
  private static var words: Int { @_noLocks @_noAllocation get { indexCount / 64 } }

  private struct State {
    var count = 0
    var releasedCount = 0
    var pressCount = 0
    var isInOrder = true
  }

  private let state: UnsafeMutablePointer<State>
  /// Keys by index.
  private let keys: UnsafeMutablePointer<ArpeggioKey>
  /// The indices with a key, as bits, and those with a released key.
  private let present: UnsafeMutablePointer<UInt64>
  private let released: UnsafeMutablePointer<UInt64>
  /// Indices in the order of presses, and from the lowest key to the highest.
  private let played: UnsafeMutablePointer<Int16>
  private let rising: UnsafeMutablePointer<Int16>

  /// - Thread: [control]
  static func allocate() -> ArpeggioKeys { ArpeggioKeys() }

  private init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    keys = .allocate(capacity: Self.indexCount)
    keys.initialize(repeating: ArpeggioKey(), count: Self.indexCount)
    present = .allocate(capacity: Self.words)
    present.initialize(repeating: 0, count: Self.words)
    released = .allocate(capacity: Self.words)
    released.initialize(repeating: 0, count: Self.words)
    played = .allocate(capacity: Self.capacity)
    played.initialize(repeating: 0, count: Self.capacity)
    rising = .allocate(capacity: Self.capacity)
    rising.initialize(repeating: 0, count: Self.capacity)
  }

  /// - Thread: [control], after the last use of the keys.
  func deallocate() {
    state.deallocate()
    keys.deallocate()
    present.deallocate()
    released.deallocate()
    played.deallocate()
    rising.deallocate()
  }

  var count: Int { @_noLocks @_noAllocation get { state.pointee.count } }

  /// A key by the order of first presses. - Complexity: O(keys²) in the first call after a change,
  /// else O(1)
  @_noLocks @_noAllocation
  func played(_ index: Int) -> ArpeggioKey {
    putInOrder()
    return keys[Int(played[index])]
  }

  /// A key by the order from low to high. - Complexity: as for `played`
  @_noLocks @_noAllocation
  func rising(_ index: Int) -> ArpeggioKey {
    putInOrder()
    return keys[Int(rising[index])]
  }

  /// Whether any of the keys is pressed.
  var isPressed: Bool {
    @_noLocks @_noAllocation get { state.pointee.count > state.pointee.releasedCount }
  }

  /// Adds a press; false if there is no room. - Complexity: O(1)
  @_noLocks @_noAllocation
  func press(channel: Int, key: Int, velocity: UInt8) -> Bool {
    let index = Self.index(channel, key)
    let (word, bit) = (index >> 6, UInt64(1) << UInt64(index & 63))
    if present[word] & bit != 0 {
      if released[word] & bit != 0 {
        released[word] &= ~bit
        state.pointee.releasedCount &-= 1
      }
      if keys[index].presses < .max { keys[index].presses &+= 1 }
      keys[index].velocity = velocity
      return true
    }
    if count == Self.capacity { return false }
    var new = ArpeggioKey()
    new.channel = UInt8(truncatingIfNeeded: channel)
    new.key = UInt8(truncatingIfNeeded: key)
    new.velocity = velocity
    new.presses = 1
    new.stamp = state.pointee.pressCount
    keys[index] = new
    present[word] |= bit
    state.pointee.pressCount &+= 1
    state.pointee.count &+= 1
    state.pointee.isInOrder = false
    return true
  }

  /// Removes a press.
  @_noLocks @_noAllocation
  func release(channel: Int, key: Int) {
    let index = Self.index(channel, key)
    let (word, bit) = (index >> 6, UInt64(1) << UInt64(index & 63))
    if present[word] & bit == 0 || keys[index].presses == 0 { return }
    keys[index].presses &-= 1
    if keys[index].presses > 0 { return }
    released[word] |= bit
    state.pointee.releasedCount &+= 1
  }

  /// Removes the keys that are not pressed.
  @_noLocks @_noAllocation
  func removeReleased() {
    if state.pointee.releasedCount == 0 { return }
    var word = 0
    while word < Self.words {
      present[word] &= ~released[word]
      released[word] = 0
      word &+= 1
    }
    state.pointee.count &-= state.pointee.releasedCount
    state.pointee.releasedCount = 0
    state.pointee.isInOrder = false
  }

  /// Removes the keys of a channel, pressed or not.
  @_noLocks @_noAllocation
  func remove(channel: Int) {
    if count == 0 { return }
    let mask = UInt64(0x0001_0001_0001_0001) << UInt64(channel & 15)
    var word = 0
    while word < Self.words {
      let leaving = present[word] & mask
      if leaving != 0 {
        state.pointee.count &-= leaving.nonzeroBitCount
        state.pointee.releasedCount &-= (released[word] & mask).nonzeroBitCount
        present[word] &= ~mask
        released[word] &= ~mask
        state.pointee.isInOrder = false
      }
      word &+= 1
    }
  }

  @_noLocks @_noAllocation
  func removeAll() {
    if count == 0 { return }
    var word = 0
    while word < Self.words {
      present[word] = 0
      released[word] = 0
      word &+= 1
    }
    state.pointee.count = 0
    state.pointee.releasedCount = 0
    state.pointee.isInOrder = true
  }

  @_noLocks @_noAllocation
  private static func index(_ channel: Int, _ key: Int) -> Int { (key & 127) << 4 | channel & 15 }

  @_noLocks @_noAllocation
  private func putInOrder() {
    if state.pointee.isInOrder { return }
    state.pointee.isInOrder = true
    var known = 0
    var word = 0
    while word < Self.words {
      var bits = present[word]
      while bits != 0 {
        insert(word << 6 | bits.trailingZeroBitCount, into: known)
        known &+= 1
        bits &= bits &- 1
      }
      word &+= 1
    }
  }

  /// Inserts an index after those of lower keys, and among `known` indices by its press.
  @_noLocks @_noAllocation
  private func insert(_ index: Int, into known: Int) {
    rising[known] = Int16(truncatingIfNeeded: index)
    var target = known
    while target > 0 && keys[Int(played[target &- 1])].stamp > keys[index].stamp {
      played[target] = played[target &- 1]
      target &-= 1
    }
    played[target] = Int16(truncatingIfNeeded: index)
  }
}
