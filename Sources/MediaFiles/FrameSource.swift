// Sources of frames for conversion.

/// A sound that can be read from any frame.
protocol FrameSource: AnyObject {
  func seek(toFrame frame: Int) throws(AudioFileError)
  func read(
    into buffers: [UnsafeMutablePointer<Float>], frameCount: Int
  ) throws(AudioFileError) -> Int
}

extension AudioFileReader: FrameSource {}

/// A reader of a clip in memory.
final class ClipReader: FrameSource {
  private let clip: AudioClip
  private var frame = 0

  init(_ clip: AudioClip) { self.clip = clip }

  func seek(toFrame frame: Int) { self.frame = min(frame, clip.frameCount) }

  func read(into buffers: [UnsafeMutablePointer<Float>], frameCount: Int) -> Int {
    let count = min(frameCount, clip.frameCount - frame)
    for (channel, buffer) in buffers.enumerated() {
      buffer.update(from: clip.samples + channel * clip.frameCount + frame, count: count)
    }
    frame += count
    return count
  }
}
