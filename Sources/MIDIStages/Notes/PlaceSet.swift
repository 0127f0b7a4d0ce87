// Which channels and keys may have something.

/// A set of channels and keys, by their places: a walk over its bits costs what has been put in since the last one,
/// not what there is room for.
struct PlaceSet: BitwiseCopyable {
  /// How many words a channel has.
  static var wordsOfChannel: Int { @_noLocks @_noAllocation get { 2 } }

  private var words = InlineArray<32, UInt64>(repeating: 0)
  /// The words, as bits, that may have something.
  private(set) var filled: UInt32 = 0

  /// - Thread: [any]
  @_noLocks @_noAllocation
  init() {}

  @_noLocks @_noAllocation @inline(__always)
  mutating func insert(_ place: Int) {
    words[place >> 6 & 31] |= 1 << UInt64(truncatingIfNeeded: place & 63)
    filled |= 1 << UInt32(truncatingIfNeeded: place >> 6 & 31)
  }

  @_noLocks @_noAllocation
  mutating func remove(_ place: Int) {
    words[place >> 6 & 31] &= ~(1 << UInt64(truncatingIfNeeded: place & 63))
  }

  @_noLocks @_noAllocation @inline(__always)
  func contains(_ place: Int) -> Bool {
    words[place >> 6 & 31] >> UInt64(truncatingIfNeeded: place & 63) & 1 != 0
  }

  /// The places 64 · `word` + n for the bits n that are set.
  @_noLocks @_noAllocation @inline(__always)
  func word(_ word: Int) -> UInt64 { words[word & 31] }

  @_noLocks @_noAllocation
  mutating func clear(word: Int) {
    words[word & 31] = 0
    filled &= ~(1 << UInt32(truncatingIfNeeded: word & 31))
  }

  /// The words of a channel, as bits of `filled`.
  @_noLocks @_noAllocation @inline(__always)
  static func words(ofChannel channel: Int) -> UInt32 {
    3 << UInt32(truncatingIfNeeded: (channel & 15) * wordsOfChannel)
  }
}

extension UInt32 {
  /// Takes the lowest word out of a set of words.
  @_noLocks @_noAllocation @inline(__always)
  mutating func takeWord() -> Int {
    let word = trailingZeroBitCount
    self &= self &- 1
    return word
  }
}

extension UInt64 {
  /// Takes the lowest bit out of a word of places. - Returns: its place.
  @_noLocks @_noAllocation @inline(__always)
  mutating func takePlace(ofWord word: Int) -> Int {
    let place = word << 6 | trailingZeroBitCount
    self &= self &- 1
    return place
  }
}
