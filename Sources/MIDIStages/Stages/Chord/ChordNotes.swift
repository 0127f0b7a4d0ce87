// The notes that sound on some channels, as a set above the lowest.

import Realtime

/// Counts the notes of each channel and key. The value is a handle to the counts; which channels are looked at, and
/// whether their notes have changed, is its own.
struct ChordNotes: @unchecked Sendable, BitwiseCopyable {
  private let counts: UnsafeMutablePointer<UInt8>
  /// For each key the notes of the channels that are looked at.
  private let totals: UnsafeMutablePointer<UInt16>
  private var channels: UInt16 = .max
  /// The channels and keys that may have notes.
  private var marks = PlaceSet()
  /// Whether a note has come or gone since this was last set to false.
  var isChanged = false

  /// - Thread: [control]
  static func allocate() -> ChordNotes { ChordNotes() }

  private init() {
    counts = .allocate(capacity: HeldNotes.places)
    counts.initialize(repeating: 0, count: HeldNotes.places)
    totals = .allocate(capacity: 128)
    totals.initialize(repeating: 0, count: 128)
  }

  /// - Thread: [control], once nobody uses the memory any more.
  func deallocate() {
    counts.deallocate()
    totals.deallocate()
  }

  /// Looks at one channel more, or one less. - Complexity: O(keys)
  @_noLocks @_noAllocation
  mutating func set(channel: Int, isOn: Bool) {
    if channels.has(bit: channel) == isOn { return }
    channels = channels.with(bit: channel, isOn)
    isChanged = true
    var key = 0
    while key < 128 {
      let count = UInt16(counts[HeldNotes.place(channel, key)])
      totals[key] = isOn ? totals[key] + count : totals[key] - count
      key &+= 1
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func add(_ place: Int) { change(place, by: 1) }

  @_noLocks @_noAllocation @inline(__always)
  mutating func remove(_ place: Int) { change(place, by: -1) }

  @_noLocks @_noAllocation @inline(__always)
  private mutating func change(_ place: Int, by step: Int) {
    let count = Int(counts[place]) &+ step
    if count < 0 || count > 255 { return }
    counts[place] = UInt8(truncatingIfNeeded: count)
    if step > 0 { marks.insert(place) }
    if !channels.has(bit: place >> 7) { return }
    totals[place & 127] = UInt16(truncatingIfNeeded: Int(totals[place & 127]) &+ step)
    isChanged = true
  }

  /// - Complexity: O(keys that had notes since the last time)
  @_noLocks @_noAllocation
  mutating func forget(channel: Int) {
    forget(words: PlaceSet.words(ofChannel: channel))
  }

  @_noLocks @_noAllocation
  mutating func forgetAll() { forget(words: .max) }

  @_noLocks @_noAllocation
  private mutating func forget(words: UInt32) {
    var words = words & marks.filled
    if words != 0 { isChanged = true }
    while words != 0 {
      let word = words.takeWord()
      var rest = marks.word(word)
      marks.clear(word: word)
      while rest != 0 {
        let place = rest.takePlace(ofWord: word)
        if channels.has(bit: place >> 7) { totals[place & 127] -= UInt16(counts[place]) }
        counts[place] = 0
      }
    }
  }

  /// −1 when nothing sounds. - Complexity: O(keys)
  var lowestKey: Int {
    @_noLocks @_noAllocation get {
      var key = 0
      while key < 128 {
        if totals[key] > 0 { return key }
        key &+= 1
      }
      return -1
    }
  }

  /// Bit n: a note n semitones above a key, whatever its octave. - Complexity: O(keys)
  @_noLocks @_noAllocation
  func notes(above bass: Int) -> UInt16 {
    var notes: UInt16 = 0
    var key = bass
    while key < 128 {
      if totals[key] > 0 { notes = notes.with(bit: (key - bass) % 12, true) }
      key &+= 1
    }
    return notes
  }
}
