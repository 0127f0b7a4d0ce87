// Where the samples are that are played.

import MediaFiles
import Realtime

/// A sound in memory, or one of which the next blocks are in memory.
struct PlayedSound: BitwiseCopyable {
  /// One channel behind the other; nil for a sound that is streamed.
  private let samples: UnsafePointer<Float>?
  let stream: UnsafeMutablePointer<PlayedStream>?
  /// 1, for all channels of the player, or as many as it has.
  let channelCount: Int
  /// At least 1.
  let frameCount: Int
  /// How long a pass is: all of it, but for loops of another sample rate.
  let pass: PassLength

  /// - Thread: [control]
  ///
  /// - Parameter passCount: how many passes it holds.
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

  /// The samples of the first channel from a frame on, and how many frames follow in one piece; nil
  /// for what is missing.
  @_noLocks @_noAllocation
  func piece(at frame: Int) -> (samples: UnsafePointer<Float>?, count: Int) {
    if let samples { return (samples + frame, frameCount &- frame) }
    if let stream { return stream.pointee.piece(at: frame) }
    return (nil, frameCount &- frame)
  }

  /// How far the samples of the player's channel are behind those of the first one.
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
