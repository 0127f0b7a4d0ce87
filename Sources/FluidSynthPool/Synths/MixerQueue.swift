// Counts that keep FluidSynth's queue between its voices and its mixer from overflowing.

/// Counts the changes put into a synth's queue since its last block, which empties it.
///
/// FluidSynth sends every change of a voice to its mixer through a queue, with 64 entries for each
/// voice that it was made for. Rendering the next block empties it. A change that finds it full is
/// lost. Without the change that ends it, a voice sounds for ever. So calls that may add changes
/// are counted, never too low. Events wait for the next block once half of the entries are taken.
struct MixerQueue: BitwiseCopyable {
  /// The changes of a voice as it begins: its generators and settings, at most 63 of them, and its
  /// end if it replaces another. Its end by an exclusive class, once in its life, also counts.
  static var changesOfStart: Int { @_noLocks @_noAllocation get { 68 } }
  /// The most changes of a voice by Reset All Controllers, without a SoundFont's own modulators.
  static var changesOfReset: Int { @_noLocks @_noAllocation get { 16 } }
  /// The most changes of a voice by any other message, without these modulators.
  static var changesOfMessage: Int { @_noLocks @_noAllocation get { 2 } }
  /// The number of a voice's generators that its mixer knows: no message changes more.
  static var changesAtMost: Int { @_noLocks @_noAllocation get { 48 } }

  /// Changes counted by all voices of the synth, up to a quarter of the entries; then those counted
  /// by the voices of the message's channel.
  private var rough = 0
  private var exact = 0
  /// Whether an exclusive class has ended a voice.
  private(set) var hasChoked = false

  @_noLocks @_noAllocation
  init() {}

  var count: Int { @_noLocks @_noAllocation get { rough &+ exact } }

  /// Counts changes by all voices of the synth.
  /// - Returns: false, and counts nothing, beyond a quarter of the entries.
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

  /// Whether the next event has to wait for a block: half of the entries are kept for it.
  @_noLocks @_noAllocation
  func isCrowded(voiceCapacity: Int) -> Bool { count > voiceCapacity &* 32 }

  /// Whether the queue may overflow.
  @_noLocks @_noAllocation
  func isFull(voiceCapacity: Int) -> Bool { count > voiceCapacity &* 62 }
}
