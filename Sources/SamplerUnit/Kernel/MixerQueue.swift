// Keeps FluidSynth's queue between its voices and its mixer from running over.

/// What messages have put into a synth's queue since its last block, after which it begins anew.
///
/// FluidSynth hands every change of a voice to its mixer through a queue of 64 places for each voice it
/// was made for, which is emptied when the next block is rendered; what finds it full is lost, the end
/// of a note too. A message for a channel changes each of its voices. Where a flood of them comes near
/// to filling the queue, a block is rendered and thrown away: the sound jumps ahead by 64 frames, and nothing
/// is lost.
struct MixerQueue: BitwiseCopyable {
  /// An estimate by all voices, then, from the limit on, one by the channel's own voices.
  private var roughCount = 0
  private var count = 0

  /// A quarter of the queue's places, for each voice that its synth was made for.
  private static var limitPerVoice: Int { @_noLocks @_noAllocation get { 16 } }
  /// A message changes one or two values of a voice; this leaves room for SoundFonts that map it to more.
  private static var changesPerVoice: Int { @_noLocks @_noAllocation get { 4 } }

  @_noLocks @_noAllocation
  init() {}

  /// Whether the next message to `channel` needs a block to be rendered before it.
  @_noLocks @_noAllocation
  mutating func isFull(
    _ synth: OpaquePointer, voiceCapacity: Int, _ channel: Int32,
    _ voices: UnsafeMutablePointer<OpaquePointer?>
  ) -> Bool {
    let limit = voiceCapacity * Self.limitPerVoice
    roughCount += (Vouched.voiceCount(synth) + 1) * Self.changesPerVoice
    if roughCount <= limit { return false }
    let own = Vouched.voiceCount(synth, channel, voices)
    count += (own + 1) * Self.changesPerVoice
    return count > limit
  }
}
