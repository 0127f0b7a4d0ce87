// Sets of channels and keys.

/// A set of notes (channel · 128 + key). The cost of a walk over it depends on the notes inserted
/// since the last one, not on the capacity.
struct NoteSet: BitwiseCopyable {
  /// The words of all channels.
  static var all: UInt32 { @_noLocks @_noAllocation get { .max } }

  private var words = InlineArray<32, UInt64>(repeating: 0)
  /// The words, as bits, that may have notes.
  private var filled: UInt32 = 0

  /// - Thread: [any]
  @_noLocks @_noAllocation
  init() {}

  /// The words of a channel, as bits.
  @_noLocks @_noAllocation @inline(__always)
  static func words(ofChannel channel: Int) -> UInt32 {
    3 << UInt32(truncatingIfNeeded: (channel & 15) << 1)
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func insert(_ index: Int) {
    // Keys repeat: most often they are in the set already.
    if contains(index) { return }
    words[index >> 6 & 31] |= 1 << UInt64(truncatingIfNeeded: index & 63)
    filled |= 1 << UInt32(truncatingIfNeeded: index >> 6 & 31)
  }

  @_noLocks @_noAllocation
  mutating func remove(_ index: Int) {
    words[index >> 6 & 31] &= ~(1 << UInt64(truncatingIfNeeded: index & 63))
  }

  @_noLocks @_noAllocation @inline(__always)
  func contains(_ index: Int) -> Bool {
    words[index >> 6 & 31] >> UInt64(truncatingIfNeeded: index & 63) & 1 != 0
  }

  /// Whether some words may have notes.
  @_noLocks @_noAllocation @inline(__always)
  func hasAny(in words: UInt32) -> Bool { filled & words != 0 }

  /// Removes and returns a note of some words; −1 for none.
  @_noLocks @_noAllocation @inline(__always)
  mutating func takeFirst(in words: UInt32) -> Int {
    while filled & words != 0 {
      let word = (filled & words).trailingZeroBitCount
      let bits = self.words[word & 31]
      self.words[word & 31] = bits & (bits &- 1)
      if bits & (bits &- 1) == 0 { filled &= ~(1 << UInt32(truncatingIfNeeded: word)) }
      if bits != 0 { return word << 6 | bits.trailingZeroBitCount }
    }
    return -1
  }

  /// The next note of some words, which stays in the set: a walk begins after −1, and continues
  /// after each note.
  /// - Returns: −1 for none.
  @_noLocks @_noAllocation
  mutating func next(behind index: Int, in words: UInt32) -> Int {
    let first = index &+ 1
    var rest = first < 2048 ? filled & words & .max << UInt32(truncatingIfNeeded: first >> 6) : 0
    while rest != 0 {
      let word = rest.trailingZeroBitCount
      var bits = self.words[word & 31]
      if word == first >> 6 { bits &= .max << UInt64(truncatingIfNeeded: first & 63) }
      if bits != 0 { return word << 6 | bits.trailingZeroBitCount }
      rest &= rest &- 1
    }
    return -1
  }

  @_noLocks @_noAllocation
  mutating func removeAll(in words: UInt32) {
    var rest = filled & words
    filled &= ~words
    while rest != 0 {
      self.words[rest.trailingZeroBitCount & 31] = 0
      rest &= rest &- 1
    }
  }
}
