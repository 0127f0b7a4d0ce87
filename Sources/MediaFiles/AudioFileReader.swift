// Reads audio files of any kind that libsndfile knows.
import CSndFile
import Foundation

/// Streams an audio file as 32-bit float frames, one buffer a channel.
///
/// - Thread: [control], one thread at a time
public final class AudioFileReader {
  /// In hertz.
  public let sampleRate: Double
  public let channelCount: Int
  /// Frames in the file, as its header says.
  public let frameCount: Int
  private let file: String
  private let handle: OpaquePointer
  private var interleaved: [Float] = []

  public init(contentsOf url: URL) throws(AudioFileError) {
    file = url.relativePath
    var info = SF_INFO()
    guard let handle = sf_open(url.path, Int32(SFM_READ), &info) else {
      throw .cannotOpen(file: file, reason: String(cString: sf_strerror(nil)))
    }
    // libsndfile checks both before it opens a file.
    self.handle = handle
    sampleRate = Double(info.samplerate)
    channelCount = Int(info.channels)
    frameCount = Int(info.frames)
  }

  deinit { sf_close(handle) }

  /// Reads the next frames into one buffer a channel.
  ///
  /// - Parameters:
  ///   - buffers: `channelCount` buffers with room for `frameCount` frames.
  ///   - frameCount: how many frames are wanted.
  /// - Returns: how many there were; fewer than wanted only at the end of the file.
  public func read(
    into buffers: [UnsafeMutablePointer<Float>], frameCount: Int
  ) throws(AudioFileError) -> Int {
    precondition(buffers.count == channelCount && frameCount >= 0)
    var done = 0
    while done < frameCount {
      let wanted = min(frameCount - done, Self.blockFrames)
      let count = try readBlock(wanted)
      for channel in 0..<channelCount {
        for frame in 0..<count {
          buffers[channel][done + frame] = interleaved[frame * channelCount + channel]
        }
      }
      done += count
      if count < wanted { break }
    }
    return done
  }

  /// Reads at most `maximumFrames` further frames, as one array a channel; empty arrays at the end.
  public func read(maximumFrames: Int) throws(AudioFileError) -> [[Float]] {
    var channels = [[Float]](repeating: [], count: channelCount)
    var rest = maximumFrames
    while rest > 0 {
      let wanted = min(rest, Self.blockFrames)
      let count = try readBlock(wanted)
      for channel in 0..<channelCount {
        for frame in 0..<count {
          channels[channel].append(interleaved[frame * channelCount + channel])
        }
      }
      rest -= count
      if count < wanted { break }
    }
    return channels
  }

  private static let blockFrames = 4096

  private func readBlock(_ frames: Int) throws(AudioFileError) -> Int {
    if interleaved.isEmpty {
      interleaved = [Float](repeating: 0, count: Self.blockFrames * channelCount)
    }
    let count = Int(sf_readf_float(handle, &interleaved, sf_count_t(frames)))
    if count < frames, sf_error(handle) != SF_ERR_NO_ERROR {
      throw .cannotRead(file: file, reason: String(cString: sf_strerror(handle)))
    }
    return count
  }
}
