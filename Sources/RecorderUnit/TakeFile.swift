// The files of takes.

import FoundationEssentials
import MediaFiles
import Realtime

/// The file of one take, which grows from its first frame to its last.
///
/// Used by one thread at a time.
protocol TakeFile: AnyObject {
  /// The file's length in frames.
  var frameCount: Int { get }

  /// Writes the next frames of a ring, at most `count`; a later call continues.
  func write(_ count: Int, of line: CaptureRing) throws(AudioFileError)

  /// Writes frames without sound.
  func writeSilence(_ count: Int) throws(AudioFileError)

  /// Completes the file.
  func finish() throws(AudioFileError)
}

/// A take of sound.
final class AudioTakeFile: TakeFile {
  private let writer: AudioFileWriter
  private let news: TakeNotices

  init(_ writer: AudioFileWriter, _ news: TakeNotices) { (self.writer, self.news) = (writer, news) }

  var frameCount: Int { writer.frameCount }

  func write(_ count: Int, of line: CaptureRing) throws(AudioFileError) {
    _ = try line.take(count) { (channels, count) throws(AudioFileError) in
      try writer.write(channels, frameCount: count)
      var peak: Float = 0
      for samples in channels {
        for frame in 0..<count { peak = max(peak, abs(samples[frame])) }
      }
      news.note(peak: peak)
    }
  }

  func writeSilence(_ count: Int) throws(AudioFileError) {
    let silence = [[Float]](
      repeating: [Float](repeating: 0, count: min(count, 4096)), count: writer.channelCount)
    var rest = count
    while rest > 0 {
      let count = min(rest, 4096)
      try writer.write(silence.map { Array($0.prefix(count)) })
      rest -= count
    }
  }

  func finish() throws(AudioFileError) { try writer.finish() }
}
