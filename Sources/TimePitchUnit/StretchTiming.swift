// How long stretched sound takes.

/// The times that do not depend on what is set, in frames of a sample rate.
///
/// Sound is stretched by a thread of its own in blocks of output frames: a block is collected,
/// waits `roomBlocks` for the thread, and is heard then. What comes back with a block is the sound
/// of `insideBlocks` before, because the stretcher needs what follows a frame.
struct StretchTiming: Sendable, BitwiseCopyable {
  /// Half of the stretcher's window.
  let halfFrames: Int
  let insideBlocks: Int
  let roomBlocks: Int

  /// - Parameter halfFrames: `RubberBand.halfFrames`.
  init(halfFrames: Int) {
    self.halfFrames = halfFrames
    // Half a window of output, and its longest step with what is read around a place.
    insideBlocks = (halfFrames + 1536 + Self.blockFrames - 1) / Self.blockFrames
    // More than two periods of 1024 frames, and one of 2048, with the fade of what is late.
    roomBlocks = 9 * max(1, halfFrames / 2048)
  }

  static var blockFrames: Int { @_noLocks @_noAllocation get { 256 } }

  /// How far what is heard lies behind the newest frame that was taken, in frames of the input:
  /// half a window, and what is read around a place.
  var leadFrames: Int { @_noLocks @_noAllocation get { halfFrames &+ 64 } }

  /// How much later than that it is heard, in frames of the output.
  var delayFrames: Int { (insideBlocks + 1 + roomBlocks) * Self.blockFrames }

  /// At rate 1.
  var latencyFrames: Int { leadFrames + delayFrames }

  /// Blocks on their way, collected, heard, and to spare.
  var slotCount: Int {
    var count = 8
    while count < roomBlocks + 6 { count *= 2 }
    return count
  }
}
