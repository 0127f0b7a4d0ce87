// Consecutive passes of a loop.

import Realtime

/// Passes of a loop without a pause between them.
struct LoopRun: BitwiseCopyable {
  /// The frame after the first pass.
  private var firstFrame: FrameTime = 0
  private var length = PassLength.none
  private var offset: Int32 = 0
  private var number: Int32 = 0

  @_noLocks @_noAllocation
  init() {}

  var count: Int { @_noLocks @_noAllocation get { Int(number) } }

  /// Adds a pass.
  ///
  /// - Parameters:
  ///   - frame: the frame after it.
  ///   - former: the frame after the previous pass.
  /// - Returns: false if it does not continue the run.
  @_noLocks @_noAllocation
  mutating func take(
    _ pass: Pass, endingBefore frame: FrameTime, after former: FrameTime
  ) -> Bool {
    if number == 0 {
      (firstFrame, length, offset) = (frame, pass.length, pass.offset)
    } else if frame != former &+ FrameTime(pass.frameCount) {
      return false
    }
    number = number &+ 1
    return true
  }

  /// The frame after each pass.
  /// - Thread: [control]
  var frames: [FrameTime] {
    var pass = Pass(length, offset: offset)
    var frame = firstFrame
    return (0..<count).map { number in
      if number > 0 {
        pass = pass.next
        frame += FrameTime(pass.frameCount)
      }
      return frame
    }
  }
}
