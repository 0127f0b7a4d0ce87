// The rendering of a synth: in FluidSynth's blocks, whatever the length of the calls.

import Realtime

extension Synth {
  /// Adds the synth's output, and rests if it has ended.
  ///
  /// Each call of FluidSynth has a cost. So one call renders up to four blocks, and the frames
  /// after the end are kept in `remainder` for the next time.
  /// - Parameters:
  ///   - left: room for `count` frames and a block, silent after `count`, and again so on return.
  ///   - remainder: two blocks that no other synth writes, left and right.
  /// - Returns: the number of voices that sound after it.
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

  /// - Returns: the number of frames added.
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

  /// Whether the rest of the current block is silent. A voice may have ended in it, or before it:
  /// the period must not affect when the synth is free for another note.
  @_noLocks @_noAllocation
  func isSilent(_ remainder: UnsafePointer<Float>) -> Bool {
    if position == 0 { return true }
    let length = Self.blockFrames &- position
    return Samples.isSilent(remainder + position, count: length)
      && Samples.isSilent(remainder + (Self.blockFrames &+ position), count: length)
  }

  /// The number of frames to render at once: the blocks that begin before the end, up to four, or
  /// one.
  ///
  /// FluidSynth's buffers for more blocks would drive others out of the processor's first cache.
  /// Also, its order of adding voices changes after a block in which one ends. Sums of three may
  /// then differ in their last bit if blocks are rendered at once; sums of two do not.
  @_noLocks @_noAllocation
  private func nextLength(_ count: Int, _ voices: Int) -> Int {
    if voices > 3 { return Self.blockFrames }
    return min(4, (count &+ Self.blockFrames &- 1) / Self.blockFrames) &* Self.blockFrames
  }

  /// Begins a block, before FluidSynth renders it and empties its queue.
  @_noLocks @_noAllocation
  mutating func beginBlock() {
    silenceAgain()
    queue = MixerQueue()
  }

  /// Counts frames of the current block that were handed out.
  @_noLocks @_noAllocation
  mutating func advance(_ frames: Int) { position = (position &+ frames) % Self.blockFrames }

  /// Updates `isSounding`, after notes may have begun to sound.
  @_noLocks @_noAllocation
  mutating func wakeOrRest() { isSounding = Vouched.voiceCount(synth) > 0 }

  /// Stops rendering: the next block begins with the next note.
  @_noLocks @_noAllocation
  mutating func rest() {
    isSounding = false
    position = 0
  }

  /// Renders a block and throws it away. The block boundaries stay the same.
  @_noLocks @_noAllocation
  mutating func skipBlock(_ scratch: SamplerScratch) {
    beginBlock()
    Vouched.render(synth, Self.blockFrames, scratch.blockLeft, scratch.blockRight)
  }

  /// Ends all sound within this call.
  @_noLocks @_noAllocation
  mutating func end(_ scratch: SamplerScratch) {
    // Each voice has its sample released.
    scratch.work.add(Vouched.voiceCount(synth))
    allSoundsOff(scratch)
    skipBlock(scratch)
    rest()
  }
}
