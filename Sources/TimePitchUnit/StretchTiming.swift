// The timing of stretched sound.

/// Times that do not depend on settings, in frames at a sample rate.
///
/// A separate thread stretches sound in blocks of output frames. A block is collected, waits
/// `roomBlocks` for the thread, and is played then. It returns with the sound of `insideBlocks`
/// before, because the stretcher needs the frames after a frame.
struct StretchTiming: Sendable, BitwiseCopyable {
  /// Half of the stretcher's window.
  let halfFrames: Int
  let insideBlocks: Int
  let roomBlocks: Int

  /// - Parameter halfFrames: `RubberBand.halfFrames`.
  init(halfFrames: Int) {
    self.halfFrames = halfFrames
    // Half a window of output, and its longest step with the frames read around a position.
    insideBlocks = (halfFrames + 1536 + Self.blockFrames - 1) / Self.blockFrames
    // More than two periods of 1024 frames, and one of 2048, with the fade before a late block.
    roomBlocks = 9 * max(1, halfFrames / 2048)
  }

  static var blockFrames: Int { @_noLocks @_noAllocation get { 256 } }

  /// Distance from the newest frame taken to the frame heard, in input frames: half a window, and
  /// the frames read around a position.
  var leadFrames: Int { @_noLocks @_noAllocation get { halfFrames &+ 64 } }

  /// Further delay until that frame is heard, in output frames.
  var delayFrames: Int { (insideBlocks + 1 + roomBlocks) * Self.blockFrames }

  /// Latency at rate 1, in frames.
  var latencyFrames: Int { leadFrames + delayFrames }

  /// Count of slots: blocks at the worker, collected, played, and spare.
  var slotCount: Int {
    var count = 8
    while count < roomBlocks + 6 { count *= 2 }
    return count
  }
}
