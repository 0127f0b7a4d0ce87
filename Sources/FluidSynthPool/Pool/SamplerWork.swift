// The cost of the sampler's events, which is limited to bound each cycle's work.

/// The work of events since the last block boundary (64 frames), in quarters of a microsecond as
/// measured on a virtual machine of 2026. The value is a handle: copies name the same memory.
///
/// It is counted from the actions of events, never with a clock, so that the output does not depend
/// on the machine.
package struct SamplerWork: @unchecked Sendable, BitwiseCopyable {
  /// The limit of events in 64 frames: 262 µs, a fifth of that time at 48 kHz. An event that begins
  /// below it is processed.
  static var limit: Int { @_noLocks @_noAllocation get { 1_050 } }
  /// The cost of beginning a voice.
  static var start: Int { @_noLocks @_noAllocation get { 12 } }
  /// The cost of fading a voice out to make room.
  static var fade: Int { @_noLocks @_noAllocation get { 16 } }
  /// The cost of fading voices in 64 frames, in addition to those that may sound. Events keep a
  /// quarter of the limit.
  @_noLocks @_noAllocation
  package static func fading(_ voices: Int) -> Int { min(4 &* voices, limit &- limit / 4) }
  /// The cost of finding a note's synth, and those that hold its key.
  package static var note: Int { @_noLocks @_noAllocation get { 8 } }
  /// The cost of choosing a program: FluidSynth walks over all presets, twice if it is missing.
  @_noLocks @_noAllocation
  static func program(_ presets: Int) -> Int { 4 &+ presets / 64 }
  /// The cost of setting pitch or interpolation on all channels of a synth.
  static var settings: Int { @_noLocks @_noAllocation get { 40 } }
  /// The cost of a walk of FluidSynth over all its slots for voices.
  @_noLocks @_noAllocation
  static func walk(_ slots: Int) -> Int { 1 &+ slots / 96 }
  /// The cost of bringing a synth that has missed a reset to the state of the channels.
  static var refresh: Int { @_noLocks @_noAllocation get { 400 } }
  /// The cost of resetting the first synth, which is done once in 64 frames: FluidSynth walks over
  /// all slots for voices fifty times.
  static var reset: Int { @_noLocks @_noAllocation get { 800 } }

  private struct Counts {
    var work = 0
    /// The work before the last block boundary.
    var workBefore = 0
    /// The resets since the last block boundary.
    var resets = 0
    /// The number of blocks thrown away.
    var skippedBlocks = 0
    /// The number of times that a synth was short of voices.
    var shortages = 0

    init() {}
  }

  private let counts: UnsafeMutablePointer<Counts>

  /// - Thread: [control]
  init() {
    counts = .allocate(capacity: 1)
    counts.initialize(to: Counts())
  }

  /// - Thread: [control], after its last use.
  func deallocate() { counts.deallocate() }

  @_noLocks @_noAllocation
  package func add(_ cost: Int) { counts.pointee.work &+= cost }

  @_noLocks @_noAllocation
  func addReset() {
    add(Self.reset)
    counts.pointee.resets &+= 1
  }

  /// Whether the next reset has to wait.
  package var hasReset: Bool { @_noLocks @_noAllocation get { counts.pointee.resets > 0 } }

  /// Whether the next event has to wait.
  package var isAtLimit: Bool { @_noLocks @_noAllocation get { counts.pointee.work >= Self.limit } }

  /// Whether there is room for a synth to catch up, which can be deferred.
  var isSlack: Bool {
    @_noLocks @_noAllocation get { counts.pointee.work &+ Self.refresh <= Self.limit }
  }

  /// Whether there is such room, and was in the 64 frames before the last block boundary.
  package var isQuiet: Bool {
    @_noLocks @_noAllocation get {
      isSlack && counts.pointee.workBefore &+ Self.refresh <= Self.limit
    }
  }

  /// Passes 64 frames, a number of times.
  @_noLocks @_noAllocation
  package func pass(_ times: Int) {
    let before = max(counts.pointee.work &- min(times &- 1, 1_000) &* Self.limit, 0)
    counts.pointee.workBefore = before
    counts.pointee.work = max(before &- Self.limit, 0)
    counts.pointee.resets = 0
  }

  @_noLocks @_noAllocation
  func countSkippedBlock() { counts.pointee.skippedBlocks &+= 1 }

  /// Counts that FluidSynth has ended voices of its own choice, since a synth had none left.
  @_noLocks @_noAllocation
  func countShortage() { counts.pointee.shortages &+= 1 }

  /// Returns the counts of faults since the last call, and clears them.
  @_noLocks @_noAllocation
  package func takeTroubles() -> (skippedBlocks: Int, shortages: Int) {
    let troubles = (counts.pointee.skippedBlocks, counts.pointee.shortages)
    counts.pointee.skippedBlocks = 0
    counts.pointee.shortages = 0
    return troubles
  }
}
