// The notes that go first when voices are short, in order.

/// A note on one synth.
struct StealCandidate: BitwiseCopyable {
  var synth: Int32 = -1
  var channel: Int32 = 0
  var key: Int32 = 0
  /// 0 for one that is ending already, 1 for one that a pedal holds, 2 for one whose key is down.
  var rank: Int32 = 0
  /// How many note-ons ago its key was struck last.
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

/// A few notes to let go, so that not every note that lacks a voice has to look at all that sound.
/// It holds for 64 frames at most. The value is a handle: copies name the same memory.
struct StealList: @unchecked Sendable, BitwiseCopyable {
  private static var capacity: Int { @_noLocks @_noAllocation get { 32 } }

  private let candidates: UnsafeMutablePointer<StealCandidate>
  /// The next one, how many there are, and how many voices sound that do not fade out.
  private let numbers: UnsafeMutablePointer<Int>

  /// - Thread: [worker]
  init() {
    candidates = .allocate(capacity: Self.capacity)
    candidates.initialize(repeating: StealCandidate(), count: Self.capacity)
    numbers = .allocate(capacity: 3)
    numbers.initialize(repeating: 0, count: 3)
  }

  /// - Thread: [control], once nobody uses the list any more.
  func deallocate() {
    candidates.deallocate()
    numbers.deallocate()
  }

  /// Whether there is nothing left in it.
  var isEmpty: Bool { @_noLocks @_noAllocation get { numbers[0] >= numbers[1] } }

  /// How many voices sound that do not fade out, as far as it knows.
  var voices: Int { @_noLocks @_noAllocation get { numbers[2] } }

  /// Voices have begun, or a negative number of them fades out.
  @_noLocks @_noAllocation
  func add(_ voices: Int) { numbers[2] &+= voices }

  /// What it says holds no longer.
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

  /// Takes in a voice that sounds: its note, if it is among the first to go.
  @_noLocks @_noAllocation
  func take(_ candidate: StealCandidate) {
    numbers[2] &+= 1
    var place = numbers[1]
    if place > 0 && candidates[place &- 1].isSameNote(candidate) { return }
    if place == Self.capacity {
      if !candidate.goes(before: candidates[place &- 1]) { return }
      place &-= 1
    } else {
      numbers[1] &+= 1
    }
    while place > 0 && candidate.goes(before: candidates[place &- 1]) {
      candidates[place] = candidates[place &- 1]
      place &-= 1
    }
    candidates[place] = candidate
  }
}
