// The notes that sound on some channels, as a set above the lowest.

/// Counts the notes of each channel and key, and finds the chord of the observed channels.
struct ChordNotes: BitwiseCopyable {
  private var notes = NoteLedger.allocate()
  private var channels: UInt16 = .max
  /// Whether a note has begun or ended since this was last set to false.
  var isChanged = true

  /// - Thread: [control]
  init() {}

  /// - Thread: [control], after the last use of the memory.
  func deallocate() { notes.deallocate() }

  /// Adds a channel to the observed ones, or removes it.
  @_noLocks @_noAllocation
  mutating func set(channel: Int, isOn: Bool) {
    channels = channels.with(bit: channel, isOn)
    isChanged = true
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func add(_ index: Int) {
    notes.add(index)
    if channels.has(bit: index >> 7) { isChanged = true }
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func remove(_ index: Int) {
    if notes.remove(index) && channels.has(bit: index >> 7) { isChanged = true }
  }

  @_noLocks @_noAllocation
  mutating func forget(channel: Int) {
    notes.forgetNotes(channel)
    isChanged = true
  }

  @_noLocks @_noAllocation
  mutating func forgetAll() {
    notes.forgetAll()
    isChanged = true
  }

  /// The lowest key, −1 if nothing sounds, and the notes as semitones above it, in any octave: bit
  /// n for n.
  /// - Complexity: O(keys that had notes since the last time)
  @_noLocks @_noAllocation
  mutating func chord() -> (bass: Int, notes: UInt16) {
    let (low, high) = notes.keys(of: channels)
    if low | high == 0 { return (-1, 0) }
    let bass = low != 0 ? low.trailingZeroBitCount : 64 + high.trailingZeroBitCount
    var notes: UInt16 = 0
    var key = bass
    while key < 128 {
      let bits = key < 64 ? low : high
      if bits >> UInt64(truncatingIfNeeded: key & 63) & 1 != 0 {
        notes = notes.with(bit: (key - bass) % 12, true)
      }
      key &+= 1
    }
    return (bass, notes)
  }
}
