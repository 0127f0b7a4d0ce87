// Keeps FluidSynth's queue between its voices and its mixer from running over.

/// What was put into a synth's queue since its last block, after which it begins anew.
///
/// FluidSynth hands every change of a voice to its mixer through a queue of 64 places for each
/// voice that it was made for, which is emptied when the next block is rendered; what finds it full
/// is lost, the end of a note too, and a voice that has lost its end sounds for ever. So every call
/// that may put something in is counted, never too low, and events wait for the next block once
/// half of the places are taken.
struct MixerQueue: BitwiseCopyable {
  /// What a voice puts in as it begins: its generators and settings, at most 63 of them, its end
  /// where it takes the place of another, and what ends it by its exclusive class, which happens
  /// once in its life.
  static var changesOfStart: Int { @_noLocks @_noAllocation get { 68 } }
  /// What Reset All Controllers changes of a voice at most, but for a SoundFont's own modulators.
  static var changesOfReset: Int { @_noLocks @_noAllocation get { 16 } }
  /// What any other message changes of it at most, but for these.
  static var changesOfMessage: Int { @_noLocks @_noAllocation get { 2 } }
  /// All generators of a voice that its mixer knows: no message changes more.
  static var changesAtMost: Int { @_noLocks @_noAllocation get { 48 } }

  /// By all voices of the synth, up to a quarter of the places; then by those of the message's
  /// channel.
  private var rough = 0
  private var exact = 0
  /// Whether something was ended by an exclusive class.
  private(set) var hasChoked = false

  @_noLocks @_noAllocation
  init() {}

  var count: Int { @_noLocks @_noAllocation get { rough &+ exact } }

  /// Counts by all voices of the synth.
  /// - Returns: false, and counts nothing, beyond a quarter of the places.
  @_noLocks @_noAllocation
  mutating func tryAddRoughly(_ changes: Int, voiceCapacity: Int) -> Bool {
    if rough &+ changes > voiceCapacity &* 16 { return false }
    rough &+= changes
    return true
  }

  @_noLocks @_noAllocation
  mutating func add(_ changes: Int) { exact &+= changes }

  @_noLocks @_noAllocation
  mutating func countChoke() { hasChoked = true }

  /// Whether the next event has to wait for a block: half of the places are kept for it.
  @_noLocks @_noAllocation
  func isCrowded(voiceCapacity: Int) -> Bool { count > voiceCapacity &* 32 }

  /// Whether it may run over.
  @_noLocks @_noAllocation
  func isFull(voiceCapacity: Int) -> Bool { count > voiceCapacity &* 62 }
}
