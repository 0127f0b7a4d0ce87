// How much the sampler's events may cost, so that each cycle's work has a bound.

/// The work that events have made since the last bound of 64 frames, in quarters of a microsecond
/// as measured on a virtual machine of 2026. The value is a handle: copies name the same memory.
///
/// It is counted by what events do, never by a clock, so that the output does not depend on the
/// machine.
package struct SamplerWork: @unchecked Sendable, BitwiseCopyable {
  /// What events may cost in 64 frames: 262 µs, a fifth of that time at 48 kHz. What began below
  /// it is done.
  static var limit: Int { @_noLocks @_noAllocation get { 1_050 } }
  /// What it costs to begin a voice.
  static var start: Int { @_noLocks @_noAllocation get { 12 } }
  /// To have a voice fade out to make room.
  static var fade: Int { @_noLocks @_noAllocation get { 16 } }
  /// What 64 frames of voices cost that fade out, beside those that may sound. Events keep a
  /// quarter of the limit.
  @_noLocks @_noAllocation
  package static func fading(_ voices: Int) -> Int { min(4 &* voices, limit &- limit / 4) }
  /// To find a note's synth, and those that hold its key.
  package static var note: Int { @_noLocks @_noAllocation get { 8 } }
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
  /// To reset the first synth, which is done once in 64 frames: FluidSynth walks over all places
  /// for voices fifty times.
  static var reset: Int { @_noLocks @_noAllocation get { 800 } }

  private struct Counts {
    var work = 0
    /// The work before the last bound.
    var workBefore = 0
    /// The resets since the last bound.
    var resets = 0
    /// How many blocks were thrown away.
    var skippedBlocks = 0
    /// How often a synth was short of voices.
    var shortages = 0

    init() {}
  }

  private let counts: UnsafeMutablePointer<Counts>

  /// - Thread: [control]
  init() {
    counts = .allocate(capacity: 1)
    counts.initialize(to: Counts())
  }

  /// - Thread: [control], once nobody uses it any more.
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

  /// Whether there is room to have a synth catch up, which can be put off.
  var isSlack: Bool {
    @_noLocks @_noAllocation get { counts.pointee.work &+ Self.refresh <= Self.limit }
  }

  /// Whether there was, in the 64 frames before the last bound, and is.
  package var isQuiet: Bool {
    @_noLocks @_noAllocation get {
      isSlack && counts.pointee.workBefore &+ Self.refresh <= Self.limit
    }
  }

  /// 64 frames have passed, so many times.
  @_noLocks @_noAllocation
  package func pass(_ times: Int) {
    let before = max(counts.pointee.work &- min(times &- 1, 1_000) &* Self.limit, 0)
    counts.pointee.workBefore = before
    counts.pointee.work = max(before &- Self.limit, 0)
    counts.pointee.resets = 0
  }

  @_noLocks @_noAllocation
  func countSkippedBlock() { counts.pointee.skippedBlocks &+= 1 }

  /// FluidSynth has ended voices of its own choice, since a synth had none left.
  @_noLocks @_noAllocation
  func countShortage() { counts.pointee.shortages &+= 1 }

  /// What went wrong since the last time.
  @_noLocks @_noAllocation
  package func takeTroubles() -> (skippedBlocks: Int, shortages: Int) {
    let troubles = (counts.pointee.skippedBlocks, counts.pointee.shortages)
    counts.pointee.skippedBlocks = 0
    counts.pointee.shortages = 0
    return troubles
  }
}
