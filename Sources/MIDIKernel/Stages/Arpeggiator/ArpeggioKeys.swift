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
  /// The place in `played` of each channel and key, −1 for none.
  private let places: UnsafeMutablePointer<Int16>
  /// Where each key comes to stand when others leave, −1 for one that leaves.
  private let moved: UnsafeMutablePointer<Int>
  /// How many keys there are, and how many of them no finger is on.
  private let used: UnsafeMutablePointer<(all: Int, released: Int)>

  /// - Thread: [control]
  static func allocate() -> ArpeggioKeys { ArpeggioKeys() }

  private init() {
    played = .allocate(capacity: Self.capacity)
    played.initialize(repeating: ArpeggioKey(), count: Self.capacity)
    rising = .allocate(capacity: Self.capacity)
    rising.initialize(repeating: 0, count: Self.capacity)
    moved = .allocate(capacity: Self.capacity)
    moved.initialize(repeating: 0, count: Self.capacity)
    places = .allocate(capacity: HeldNotes.places)
    places.initialize(repeating: -1, count: HeldNotes.places)
    used = .allocate(capacity: 1)
    used.initialize(to: (0, 0))
  }

  /// - Thread: [control], once nobody uses the keys any more.
  func deallocate() {
    played.deallocate()
    rising.deallocate()
    moved.deallocate()
    places.deallocate()
    used.deallocate()
  }

  var count: Int { @_noLocks @_noAllocation get { used.pointee.all } }

  /// The keys in the order of their first presses.
  @_noLocks @_noAllocation
  func played(_ index: Int) -> ArpeggioKey { played[index] }

  /// The keys from low to high.
  @_noLocks @_noAllocation
  func rising(_ index: Int) -> ArpeggioKey { played[rising[index]] }

  /// Whether a finger is on any of them.
  var isPressed: Bool {
    @_noLocks @_noAllocation get { used.pointee.all > used.pointee.released }
  }

  /// Takes in a press; false when there is no room. - Complexity: O(keys) for a new key.
  @_noLocks @_noAllocation
  func press(channel: Int, key: Int, velocity: UInt8) -> Bool {
    let known = Int(places[HeldNotes.place(channel, key)])
    if known >= 0 {
      if played[known].presses == 0 { used.pointee.released &-= 1 }
      if played[known].presses < .max { played[known].presses &+= 1 }
      played[known].velocity = velocity
      return true
    }
    let new = count
    if new == Self.capacity { return false }
    played[new] = ArpeggioKey(
      channel: UInt8(truncatingIfNeeded: channel), key: UInt8(truncatingIfNeeded: key),
      velocity: velocity, presses: 1)
    places[HeldNotes.place(channel, key)] = Int16(truncatingIfNeeded: new)
    var place = new
    while place > 0 && pitch(rising[place - 1]) > pitch(new) {
      rising[place] = rising[place - 1]
      place &-= 1
    }
    rising[place] = new
    used.pointee.all &+= 1
    return true
  }

  /// Takes a finger off.
  @_noLocks @_noAllocation
  func release(channel: Int, key: Int) {
    let place = Int(places[HeldNotes.place(channel, key)])
    if place < 0 || played[place].presses == 0 { return }
    played[place].presses &-= 1
    if played[place].presses == 0 { used.pointee.released &+= 1 }
  }

  /// Removes the keys that no finger is on. - Complexity: O(keys), O(1) where there are none.
  @_noLocks @_noAllocation
  func removeReleased() {
    if used.pointee.released > 0 { remove(releasedAlone: true, of: 0) }
  }

  /// Removes the keys of a channel, pressed or not. - Complexity: O(keys)
  @_noLocks @_noAllocation
  func remove(channel: Int) { remove(releasedAlone: false, of: channel) }

  /// - Complexity: O(keys)
  @_noLocks @_noAllocation
  func removeAll() {
    var index = 0
    while index < count {
      places[placeOfKey(index)] = -1
      index &+= 1
    }
    used.pointee = (0, 0)
  }

  /// Removes the keys that no finger is on, or those of a channel.
  @_noLocks @_noAllocation
  private func remove(releasedAlone: Bool, of channel: Int) {
    var kept = 0
    var released = 0
    var index = 0
    while index < count {
      let key = played[index]
      let leaves = releasedAlone ? key.presses == 0 : Int(key.channel) == channel
      moved[index] = leaves ? -1 : kept
      places[placeOfKey(index)] = Int16(truncatingIfNeeded: moved[index])
      if !leaves {
        played[kept] = key
        kept &+= 1
        if key.presses == 0 { released &+= 1 }
      }
      index &+= 1
    }
    var place = 0
    var target = 0
    while place < count {
      let new = moved[rising[place]]
      if new >= 0 {
        rising[target] = new
        target &+= 1
      }
      place &+= 1
    }
    used.pointee = (kept, released)
  }

  @_noLocks @_noAllocation
  private func placeOfKey(_ index: Int) -> Int {
    HeldNotes.place(Int(played[index].channel), Int(played[index].key))
  }

  @_noLocks @_noAllocation
  private func pitch(_ place: Int) -> Int {
    Int(played[place].key) << 4 | Int(played[place].channel)
  }
}
