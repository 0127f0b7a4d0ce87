// Loops that ended one after the other.

import Realtime

/// Passes of a loop without a pause between them.
struct LoopRun: BitwiseCopyable {
  /// The first of them, and the frame behind it.
  private var first: Pass?
  private var firstFrame: FrameTime = 0
  private var lastFrame: FrameTime = 0
  private(set) var count = 0

  @_noLocks @_noAllocation
  init() {}

  /// Takes the present pass of an entry, which ends before `frame`; false where it does not go on
  /// with the run.
  @_noLocks @_noAllocation
  mutating func take(_ entry: EntryPointer, endingBefore frame: FrameTime) -> Bool {
    if count == 0 {
      first = entry.pointee.pass
      firstFrame = frame
    } else if frame != lastFrame &+ FrameTime(entry.pointee.pass.frameCount) {
      return false
    }
    lastFrame = frame
    count = count &+ 1
    return true
  }

  /// The frames behind all of them.
  /// - Thread: [control]
  var frames: [FrameTime] {
    guard var pass = first else { return [] }
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
