// The keys and pedals held in a MIDI stream.

/// Tracks the keys and pedals held in a MIDI stream, so that they can be released if their source
/// does not.
///
/// The value owns memory: `deallocate` frees it.
package struct HeldKeys: BitwiseCopyable {
  /// Number of presses of each key of each channel that were not released.
  private let counts: UnsafeMutablePointer<UInt8>
  /// The keys with a count above 0 as bits, two words for each channel.
  private let keys: UnsafeMutablePointer<UInt64>
  /// The pedals of each channel that are down, as bits from controller 64 on.
  private let pedals: UnsafeMutablePointer<UInt8>

  private static var keyCount: Int { @_noLocks @_noAllocation get { 16 * 128 } }
  /// Hold, sostenuto, soft and second hold pedal; portamento and legato hold nothing.
  private static var pedalBits: UInt8 { @_noLocks @_noAllocation get { 0b10_1101 } }

  /// - Thread: [control]
  package init() {
    counts = .allocate(capacity: Self.keyCount)
    keys = .allocate(capacity: 32)
    pedals = .allocate(capacity: 16)
    counts.initialize(repeating: 0, count: Self.keyCount)
    keys.initialize(repeating: 0, count: 32)
    pedals.initialize(repeating: 0, count: 16)
  }

  /// - Thread: [control]
  package func deallocate() {
    counts.deallocate()
    keys.deallocate()
    pedals.deallocate()
  }

  /// Updates the state for a passing message of one to three bytes.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  package func take(_ message: ShortMessage) {
    let channel = message.channel
    switch message.status & 0xF0 {
    case 0x90 where message.value > 0: press(channel << 7 | message.number)
    case 0x80, 0x90: release(channel << 7 | message.number)
    case 0xB0: takeController(channel, message.number, message.value)
    case 0xF0 where message.status == 0xFF:
      var channel = 0
      while channel < 16 {
        releaseAll(channel)
        pedals[channel] = 0
        channel &+= 1
      }
    default: break
    }
  }

  /// Returns a message that releases one of the held keys or pedals; nil if none is left.
  /// - Thread: [render]. - Complexity: O(1)
  @_noLocks @_noAllocation
  package func nextEnd() -> ShortMessage? {
    var word = 0
    while word < 32 {
      if keys[word] != 0 {
        let key = (word & 1) << 6 | keys[word].trailingZeroBitCount
        return ShortMessage(0x80 | word >> 1, key, 64)
      }
      word &+= 1
    }
    var channel = 0
    while channel < 16 {
      if pedals[channel] != 0 {
        return ShortMessage(0xB0 | channel, 64 &+ pedals[channel].trailingZeroBitCount, 0)
      }
      channel &+= 1
    }
    return nil
  }

  @_noLocks @_noAllocation
  private func takeController(_ channel: Int, _ number: Int, _ value: Int) {
    switch number {
    case 64...69:
      let bit = 1 << UInt8(truncatingIfNeeded: number & 7) & Self.pedalBits
      pedals[channel] = pedals[channel] & ~bit | (value >= 64 ? bit : 0)
    // Reset All Controllers.
    case 121: pedals[channel] = 0
    // All Sound Off, All Notes Off and the mode messages that contain it.
    case 120, 123...127: releaseAll(channel)
    default: break
    }
  }

  @_noLocks @_noAllocation
  private func press(_ index: Int) {
    if counts[index] < .max { counts[index] &+= 1 }
    keys[index >> 6] |= 1 << UInt64(truncatingIfNeeded: index & 63)
  }

  @_noLocks @_noAllocation
  private func release(_ index: Int) {
    if counts[index] > 0 { counts[index] &-= 1 }
    if counts[index] == 0 {
      keys[index >> 6] &= ~(1 << UInt64(truncatingIfNeeded: index & 63))
    }
  }

  @_noLocks @_noAllocation
  private func releaseAll(_ channel: Int) {
    while keys[2 &* channel] != 0 {
      release(fully: channel << 7 | keys[2 &* channel].trailingZeroBitCount)
    }
    while keys[2 &* channel &+ 1] != 0 {
      release(fully: channel << 7 | 64 | keys[2 &* channel &+ 1].trailingZeroBitCount)
    }
  }

  @_noLocks @_noAllocation
  private func release(fully index: Int) {
    counts[index] = 0
    keys[index >> 6] &= ~(1 << UInt64(index & 63))
  }
}
