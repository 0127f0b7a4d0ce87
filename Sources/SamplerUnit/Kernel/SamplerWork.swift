// How much the sampler's events may cost, so that each cycle's work has a bound.

/// The work that events have made since the last bound of 64 frames, in quarters of a microsecond as measured on a
/// virtual machine of 2026. The value is a handle: copies name the same memory.
///
/// It is counted by what events do, never by a clock, so that the output does not depend on the machine.
struct SamplerWork: @unchecked Sendable, BitwiseCopyable {
  /// What events may cost in 64 frames: 300 µs, which is less than a quarter of that time at 48 kHz. What began below
  /// it is done.
  static var limit: Int { @_noLocks @_noAllocation get { 1_200 } }
  /// What it costs to begin a voice.
  static var start: Int { @_noLocks @_noAllocation get { 12 } }
  /// What a voice costs that fades out to make room, until it has ended: twelve times 64 frames, for each of which it
  /// takes a microsecond, and what has it fade.
  static var fade: Int { @_noLocks @_noAllocation get { 64 } }
  /// To find a note's synth, and those that hold its key.
  static var note: Int { @_noLocks @_noAllocation get { 8 } }
  /// To choose a program, for which FluidSynth walks over all presets, twice where it is not there.
  @_noLocks @_noAllocation
  static func program(_ presets: Int) -> Int { 4 &+ presets / 64 }
  /// To set pitch or interpolation on all channels of a synth.
  static var settings: Int { @_noLocks @_noAllocation get { 40 } }
  /// What FluidSynth takes to ask each of its places for voices whether one plays there.
  @_noLocks @_noAllocation
  static func walk(_ places: Int) -> Int { 1 &+ places / 96 }
  /// To bring a synth that has missed a reset to the state of the channels.
  static var refresh: Int { @_noLocks @_noAllocation get { 400 } }
  /// To reset the first synth, which is done once in 64 frames.
  static var reset: Int { @_noLocks @_noAllocation get { 600 } }

  /// The work, how many blocks were thrown away, the work before the last bound, the resets since, and how often a
  /// synth was short of voices.
  private let numbers: UnsafeMutablePointer<Int>

  /// - Thread: [control]
  init() {
    numbers = .allocate(capacity: 5)
    numbers.initialize(repeating: 0, count: 5)
  }

  /// - Thread: [control], once nobody uses it any more.
  func deallocate() { numbers.deallocate() }

  @_noLocks @_noAllocation
  func add(_ cost: Int) { numbers[0] &+= cost }

  @_noLocks @_noAllocation
  func addReset() {
    numbers[0] &+= Self.reset
    numbers[3] &+= 1
  }

  /// Whether the next reset has to wait.
  var hasReset: Bool { @_noLocks @_noAllocation get { numbers[3] > 0 } }

  /// Whether the next event has to wait.
  var isAtLimit: Bool { @_noLocks @_noAllocation get { numbers[0] >= Self.limit } }

  /// Whether there is room for what can be put off.
  var isSlack: Bool { @_noLocks @_noAllocation get { numbers[0] < Self.limit / 2 } }

  /// Whether there was, in the 64 frames before the last bound, and is.
  var isQuiet: Bool {
    @_noLocks @_noAllocation get { max(numbers[0], numbers[2]) < Self.limit / 2 }
  }

  /// 64 frames have passed, so many times.
  @_noLocks @_noAllocation
  func pass(_ times: Int) {
    numbers[2] = max(numbers[0] &- min(times &- 1, 1_000) &* Self.limit, 0)
    numbers[0] = max(numbers[2] &- Self.limit, 0)
    numbers[3] = 0
  }

  @_noLocks @_noAllocation
  func countSkippedBlock() { numbers[1] &+= 1 }

  /// FluidSynth has ended voices of its own choice, since a synth had none left.
  @_noLocks @_noAllocation
  func countShortage() { numbers[4] &+= 1 }

  @_noLocks @_noAllocation
  func takeTroubles() -> (skippedBlocks: Int, shortages: Int) {
    let troubles = (numbers[1], numbers[4])
    numbers[1] = 0
    numbers[4] = 0
    return troubles
  }
}
