// The keys that an arpeggio is made of.

import Realtime

/// A key of an arpeggio.
struct ArpeggioKey: BitwiseCopyable {
  var channel: UInt8 = 0
  var key: UInt8 = 0
  var velocity: UInt8 = 0
  /// How many note-ons of it wait for their note-off; 0 for a key that a latch holds.
  var presses: UInt16 = 0
}

/// Up to 128 keys, in the order of their presses and in the order of their pitches.
///
/// The value is a handle: copies name the same keys.
struct ArpeggioKeys: @unchecked Sendable, BitwiseCopyable {
  static var capacity: Int { @_noLocks @_noAllocation get { 128 } }

  private let played: UnsafeMutablePointer<ArpeggioKey>
  /// Places in `played`, from the lowest key to the highest.
  private let rising: UnsafeMutablePointer<Int>
  private let used: UnsafeMutablePointer<Int>

  /// - Thread: [control]
  static func allocate() -> ArpeggioKeys { ArpeggioKeys() }

  private init() {
    played = .allocate(capacity: Self.capacity)
    played.initialize(repeating: ArpeggioKey(), count: Self.capacity)
    rising = .allocate(capacity: Self.capacity)
    rising.initialize(repeating: 0, count: Self.capacity)
    used = .allocate(capacity: 1)
    used.initialize(to: 0)
  }

  /// - Thread: [control], once nobody uses the keys any more.
  func deallocate() {
    played.deallocate()
    rising.deallocate()
    used.deallocate()
  }

  var count: Int { @_noLocks @_noAllocation get { used.pointee } }

  /// The keys in the order of their first presses.
  @_noLocks @_noAllocation
  func played(_ index: Int) -> ArpeggioKey { played[index] }

  /// The keys from low to high.
  @_noLocks @_noAllocation
  func rising(_ index: Int) -> ArpeggioKey { played[rising[index]] }

  /// Whether a finger is on any of them.
  var isPressed: Bool {
    @_noLocks @_noAllocation get {
      var index = 0
      while index < count {
        if played[index].presses > 0 { return true }
        index += 1
      }
      return false
    }
  }

  /// Takes in a press; false when there is no room.
  @_noLocks @_noAllocation
  func press(channel: Int, key: Int, velocity: UInt8) -> Bool {
    let place = place(channel: channel, key: key)
    if place >= 0 {
      played[place].presses &+= 1
      played[place].velocity = velocity
      return true
    }
    if count == Self.capacity { return false }
    played[count] = ArpeggioKey(
      channel: UInt8(truncatingIfNeeded: channel), key: UInt8(truncatingIfNeeded: key),
      velocity: velocity, presses: 1)
    used.pointee += 1
    sort()
    return true
  }

  /// Takes a finger off.
  @_noLocks @_noAllocation
  func release(channel: Int, key: Int) {
    let place = place(channel: channel, key: key)
    if place >= 0 && played[place].presses > 0 { played[place].presses -= 1 }
  }

  /// Removes the keys that no finger is on.
  @_noLocks @_noAllocation
  func removeReleased() {
    var kept = 0
    var index = 0
    while index < count {
      if played[index].presses > 0 {
        played[kept] = played[index]
        kept += 1
      }
      index += 1
    }
    if kept == count { return }
    used.pointee = kept
    sort()
  }

  /// Removes the keys of a channel, pressed or not.
  @_noLocks @_noAllocation
  func remove(channel: Int) {
    var kept = 0
    var index = 0
    while index < count {
      if Int(played[index].channel) != channel {
        played[kept] = played[index]
        kept += 1
      }
      index += 1
    }
    used.pointee = kept
    sort()
  }

  @_noLocks @_noAllocation
  func removeAll() { used.pointee = 0 }

  @_noLocks @_noAllocation
  private func place(channel: Int, key: Int) -> Int {
    var index = 0
    while index < count {
      if Int(played[index].key) == key && Int(played[index].channel) == channel { return index }
      index += 1
    }
    return -1
  }

  /// - Complexity: O(keys²), of keys that are mostly sorted O(keys).
  @_noLocks @_noAllocation
  private func sort() {
    var index = 0
    while index < count {
      var place = index
      while place > 0 && pitch(rising[place - 1]) > pitch(index) {
        rising[place] = rising[place - 1]
        place -= 1
      }
      rising[place] = index
      index += 1
    }
  }

  @_noLocks @_noAllocation
  private func pitch(_ place: Int) -> Int {
    Int(played[place].key) << 4 | Int(played[place].channel)
  }
}
