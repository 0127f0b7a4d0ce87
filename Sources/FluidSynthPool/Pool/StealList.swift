// The notes to end first when voices are short, in order.

/// A note on one synth.
struct StealCandidate: BitwiseCopyable {
  var synth: Int32 = -1
  var channel: Int32 = 0
  var key: Int32 = 0
  /// The rank: 0 for a note that is already ending, 1 if a pedal holds it, 2 if its key is down.
  var rank: Int32 = 0
  /// The number of note-ons since its key was struck last.
  var age: UInt32 = 0
  var strike: UInt32 = 0

  @_noLocks @_noAllocation
  init() {}

  @_noLocks @_noAllocation
  func goes(before other: StealCandidate) -> Bool {
    rank < other.rank || (rank == other.rank && age > other.age)
  }

  @_noLocks @_noAllocation
  func isSameNote(_ other: StealCandidate) -> Bool {
    synth == other.synth && channel == other.channel && key == other.key
  }
}

/// A few notes to end, so that not every note that lacks a voice has to examine all sounding ones.
/// Valid for 64 frames at most. The value is a handle: copies name the same memory.
struct StealList: @unchecked Sendable, BitwiseCopyable {
  private static var capacity: Int { @_noLocks @_noAllocation get { 32 } }

  private let candidates: UnsafeMutablePointer<StealCandidate>
  /// The next index, the number of notes, and the number of sounding voices that do not fade out.
  private let numbers: UnsafeMutablePointer<Int>

  /// - Thread: [worker]
  init() {
    candidates = .allocate(capacity: Self.capacity)
    candidates.initialize(repeating: StealCandidate(), count: Self.capacity)
    numbers = .allocate(capacity: 3)
    numbers.initialize(repeating: 0, count: 3)
  }

  /// - Thread: [control], after the last use of the list.
  func deallocate() {
    candidates.deallocate()
    numbers.deallocate()
  }

  /// Whether no note is left in it.
  var isEmpty: Bool { @_noLocks @_noAllocation get { numbers[0] >= numbers[1] } }

  /// The number of sounding voices that do not fade out, as far as the list knows.
  var voices: Int { @_noLocks @_noAllocation get { numbers[2] } }

  /// Counts voices that have begun; a negative number counts voices fading out.
  @_noLocks @_noAllocation
  func add(_ voices: Int) { numbers[2] &+= voices }

  /// Clears the list, which is no longer valid.
  @_noLocks @_noAllocation
  func clear() {
    numbers[0] = 0
    numbers[1] = 0
    numbers[2] = 0
  }

  @_noLocks @_noAllocation
  func next() -> StealCandidate {
    let candidate = candidates[numbers[0]]
    numbers[0] &+= 1
    return candidate
  }

  /// Takes in a sounding voice: its note, if it is among the first to end.
  @_noLocks @_noAllocation
  func take(_ candidate: StealCandidate) {
    numbers[2] &+= 1
    var index = numbers[1]
    if index > 0 && candidates[index &- 1].isSameNote(candidate) { return }
    if index == Self.capacity {
      if !candidate.goes(before: candidates[index &- 1]) { return }
      index &-= 1
    } else {
      numbers[1] &+= 1
    }
    while index > 0 && candidate.goes(before: candidates[index &- 1]) {
      candidates[index] = candidates[index &- 1]
      index &-= 1
    }
    candidates[index] = candidate
  }
}
