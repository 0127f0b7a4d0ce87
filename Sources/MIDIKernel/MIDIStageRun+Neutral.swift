// How stages that change no note leave it to a stage before them to remember the notes.

extension MIDIStageRun {
  /// Has a stage that changes no note leave the memory of notes to the nearest stage before it that remembers
  /// notes, where that one changes none either.
  ///
  /// Both would remember the same from the moment on at which neither remembers anything, so that the note-offs
  /// which the first one keeps are those that the second one would. As soon as notes may come out of the first
  /// one as others, or the second one is set to change them, `separate` gives it the same memory of its own.
  @_noLocks @_noAllocation
  mutating func shareMemories() {
    var rest = neutral & ~sharing
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      rest &= rest &- 1
      let keeper = keeper(before: index)
      if keeper < 0 || neutral >> UInt64(keeper) & 1 == 0 { continue }
      let stage = places[index].stage
      if stage.canShareNotes && stage.remembersNoNote && places[keeper].stage.remembersNoNote {
        sharing |= 1 << UInt64(index)
        noteKinds(index)
      }
    }
  }

  /// Has a stage remember notes apart from those before it, and those behind it apart from it: what comes out
  /// of it may be other notes than what comes in.
  @_noLocks @_noAllocation
  mutating func separate(_ index: Int) {
    keepMemory(from: index)
    keepMemory(from: index + 1)
  }

  /// Has the first of the stages from a place on that remember notes have a memory of its own.
  @_noLocks @_noAllocation
  private mutating func keepMemory(from place: Int) {
    let behind = remembering & (UInt64.max << UInt64(place))
    let bit = behind & (0 &- behind)
    if sharing & bit == 0 { return }
    let index = bit.trailingZeroBitCount
    places[index].stage.rememberNotes(of: places[keeper(before: index)].stage)
    sharing &= ~bit
    noteKinds(index)
  }

  /// The nearest stage before a place that has a memory of notes of its own, −1 for none. A stage that shares
  /// has one.
  @_noLocks @_noAllocation
  private func keeper(before place: Int) -> Int {
    let before = remembering & ~sharing & ((1 << UInt64(place)) &- 1)
    return 63 - before.leadingZeroBitCount
  }
}
