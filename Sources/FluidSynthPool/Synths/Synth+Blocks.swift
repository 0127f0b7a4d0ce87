// How a synth is rendered: in FluidSynth's blocks, whatever the calls ask for.

import Realtime

extension Synth {
  /// Adds what it plays, and notes whether that has ended.
  ///
  /// Each call of FluidSynth's has a price. So there is one for all blocks, and what lies behind
  /// the end waits in `remainder` for the next time.
  /// - Parameters:
  ///   - left: room for `count` frames and a block, silent behind `count`, which it is again
  ///     afterwards.
  ///   - remainder: two blocks that nobody else writes, left and right.
  /// - Returns: how many voices sound behind it.
  @_noLocks @_noAllocation
  mutating func add(
    to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int,
    remainder: UnsafeMutablePointer<Float>
  ) -> Int {
    var frame = 0
    if position > 0 { frame = addRemainder(remainder, to: left, right, count: count) }
    var voices = Vouched.voiceCount(synth)
    while frame < count && voices > 0 {
      let length = nextLength(count &- frame, voices)
      beginBlock()
      Vouched.add(synth, length, to: left + frame, right + frame)
      frame &+= length
      voices = Vouched.voiceCount(synth)
    }
    if frame > count {
      let length = frame &- count
      position = Self.blockFrames &- length
      Samples.move(left + count, to: remainder + position, count: length)
      Samples.move(right + count, to: remainder + (Self.blockFrames &+ position), count: length)
    }
    if voices == 0 && isSilent(remainder) { rest() }
    return voices
  }

  /// - Returns: how many frames it had.
  @_noLocks @_noAllocation
  private mutating func addRemainder(
    _ remainder: UnsafePointer<Float>, to left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>, count: Int
  ) -> Int {
    let length = min(Self.blockFrames &- position, count)
    Samples.add(remainder + position, to: left, count: length)
    Samples.add(remainder + (Self.blockFrames &+ position), to: right, count: length)
    advance(length)
    return length
  }

  /// Whether nothing is to be heard of the current block any more. A voice may have ended in it, or
  /// before it: then no period may make a difference to when the synth is free for another note.
  @_noLocks @_noAllocation
  func isSilent(_ remainder: UnsafePointer<Float>) -> Bool {
    if position == 0 { return true }
    let length = Self.blockFrames &- position
    return Samples.isSilent(remainder + position, count: length)
      && Samples.isSilent(remainder + (Self.blockFrames &+ position), count: length)
  }

  /// How many frames to render at once: the blocks that begin before the end, up to four, or one.
  ///
  /// FluidSynth's buffers for more of them would drive others out of the processor's first cache.
  /// And it adds voices up in an order that changes behind a block where one ends: sums of three
  /// may come out another way in their last bit when blocks are rendered at once, sums of two do
  /// not.
  @_noLocks @_noAllocation
  private func nextLength(_ count: Int, _ voices: Int) -> Int {
    if voices > 3 { return Self.blockFrames }
    return min(4, (count &+ Self.blockFrames &- 1) / Self.blockFrames) &* Self.blockFrames
  }

  /// Before FluidSynth renders, which empties its queue.
  @_noLocks @_noAllocation
  mutating func beginBlock() {
    silenceAgain()
    queue = MixerQueue()
  }

  /// Takes note of frames of the current block that were handed out.
  @_noLocks @_noAllocation
  mutating func advance(_ frames: Int) { position = (position &+ frames) % Self.blockFrames }

  /// When something may have begun to sound.
  @_noLocks @_noAllocation
  mutating func wakeOrRest() { isSounding = Vouched.voiceCount(synth) > 0 }

  /// Its next block begins wherever its next note does.
  @_noLocks @_noAllocation
  mutating func rest() {
    isSounding = false
    position = 0
  }

  /// Throws a block away. The bounds of the blocks stay where they are.
  @_noLocks @_noAllocation
  mutating func skipBlock(_ scratch: SamplerScratch) {
    beginBlock()
    Vouched.render(synth, Self.blockFrames, scratch.blockLeft, scratch.blockRight)
  }

  /// Ends all sound within this call.
  @_noLocks @_noAllocation
  mutating func end(_ scratch: SamplerScratch) {
    // Each has its sample let go of.
    scratch.work.add(Vouched.voiceCount(synth))
    allSoundsOff(scratch)
    skipBlock(scratch)
    rest()
  }
}
