// The keys held on channels that play one note at a time.

/// The held keys of each channel with their velocities, in the order of their note-ons. The last
/// one sounds; at its note-off the one before it sounds again.
///
/// FluidSynth's own list keeps a key as often as it was struck, and also keys whose notes a mode
/// message has ended. Such keys would sound again and have no note-off left. So FluidSynth's list
/// never holds more than the sounding key (`Synth.listed`), and this list replaces it. It has each
/// key once, however often it was struck.
///
/// The value is a handle: copies name the same memory.
struct MonoKeys: @unchecked Sendable, BitwiseCopyable {
  private let keys: UnsafeMutablePointer<UInt8>
  /// Velocities by channel and key.
  private let velocities: UnsafeMutablePointer<UInt8>
  /// The number of held keys of each channel.
  private let counts: UnsafeMutablePointer<Int>

  /// - Thread: [worker]
  init() {
    keys = .allocate(capacity: 16 * 128)
    keys.initialize(repeating: 0, count: 16 * 128)
    velocities = .allocate(capacity: 16 * 128)
    velocities.initialize(repeating: 0, count: 16 * 128)
    counts = .allocate(capacity: 16)
    counts.initialize(repeating: 0, count: 16)
  }

  /// - Thread: [control], after the last use of the list.
  func deallocate() {
    keys.deallocate()
    velocities.deallocate()
    counts.deallocate()
  }

  /// The sounding key of a channel; −1 for none.
  @_noLocks @_noAllocation
  func last(_ channel: Int) -> Int {
    let count = counts[channel]
    return count == 0 ? -1 : Int(keys[channel &* 128 &+ count &- 1])
  }

  @_noLocks @_noAllocation
  func velocity(_ channel: Int, _ key: Int) -> Int { Int(velocities[channel &* 128 &+ key]) }

  /// Adds a key as the sounding one.
  /// - Complexity: O(held keys of the channel)
  @_noLocks @_noAllocation
  func add(_ channel: Int, _ key: Int, velocity: Int) {
    remove(channel, key)
    keys[channel &* 128 &+ counts[channel]] = UInt8(truncatingIfNeeded: key)
    counts[channel] &+= 1
    velocities[channel &* 128 &+ key] = UInt8(truncatingIfNeeded: velocity)
  }

  /// - Complexity: O(held keys of the channel)
  @_noLocks @_noAllocation
  func remove(_ channel: Int, _ key: Int) {
    let own = keys + channel &* 128
    var (index, kept) = (0, 0)
    while index < counts[channel] {
      if Int(own[index]) != key {
        own[kept] = own[index]
        kept &+= 1
      }
      index &+= 1
    }
    counts[channel] = kept
  }

  /// Forgets the keys of a channel except the sounding one.
  @_noLocks @_noAllocation
  func keepLast(_ channel: Int) {
    let key = last(channel)
    if key < 0 { return }
    keys[channel &* 128] = UInt8(truncatingIfNeeded: key)
    counts[channel] = 1
  }

  @_noLocks @_noAllocation
  func removeAll(_ channel: Int) { counts[channel] = 0 }

  @_noLocks @_noAllocation
  func removeAll() {
    var channel = 0
    while channel < 16 {
      removeAll(channel)
      channel &+= 1
    }
  }
}
