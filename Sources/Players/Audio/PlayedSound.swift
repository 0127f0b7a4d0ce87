// Access to a sound's samples on the render thread.

import MediaFiles
import Realtime

/// A sound in memory, or a streamed one whose next blocks are in memory.
struct PlayedSound: BitwiseCopyable {
  /// Planar samples, one channel after the other; nil for a streamed sound.
  private let samples: UnsafePointer<Float>?
  let stream: UnsafeMutablePointer<PlayedStream>?
  /// 1, played on all channels of the player, or the player's channel count.
  let channelCount: Int
  /// Frame count, at least 1.
  let frameCount: Int
  /// Length of a pass: the whole sound, except in loops of another sample rate.
  let pass: PassLength

  /// - Thread: [control]
  ///
  /// - Parameter passCount: the number of passes in the clip.
  init(_ clip: AudioClip, passCount: Int = 1) {
    samples = clip.samples
    channelCount = clip.channelCount
    frameCount = clip.frameCount
    let (frames, rest) = clip.frameCount.quotientAndRemainder(dividingBy: passCount)
    pass = PassLength(frames: frames, rest: rest, parts: passCount)
    stream = nil
  }

  /// - Thread: [control]
  init(_ stream: UnsafeMutablePointer<PlayedStream>) {
    self.stream = stream
    samples = nil
    pass = stream.pointee.line.pass
    channelCount = stream.pointee.line.channelCount
    frameCount = stream.pointee.line.frameCount
  }

  /// The first channel's samples from a frame on and the count of contiguous frames. Samples are
  /// nil if missing.
  @_noLocks @_noAllocation
  func piece(at frame: Int) -> (samples: UnsafePointer<Float>?, count: Int) {
    if let samples { return (samples + frame, frameCount &- frame) }
    if let stream { return stream.pointee.piece(at: frame) }
    return (nil, frameCount &- frame)
  }

  /// Distance of a player channel's samples from the first channel's.
  @_noLocks @_noAllocation
  func offset(ofChannel channel: Int) -> Int {
    if channelCount == 1 { return 0 }
    return channel &* (samples == nil ? StreamQueue.blockFrames : frameCount)
  }

  @_noLocks @_noAllocation
  func isSame(as other: PlayedSound) -> Bool {
    samples == other.samples && stream == other.stream
  }
}
