// Where frames come from that are converted.

/// A sound that is read from any of its frames on.
protocol FrameSource: AnyObject {
  func seek(toFrame frame: Int) throws(AudioFileError)
  func read(
    into buffers: [UnsafeMutablePointer<Float>], frameCount: Int
  ) throws(AudioFileError) -> Int
}

extension AudioFileReader: FrameSource {}

/// Reads a sound in memory.
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
