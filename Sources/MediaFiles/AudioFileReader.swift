// Readers of all audio files that libsndfile supports.
import CSndFile
import Files
import FoundationEssentials
import Glibc

/// A stream of 32-bit float frames from an audio file, one buffer a channel.
///
/// - Thread: [control], one thread at a time
public final class AudioFileReader {
  /// The sample rate, in hertz.
  public let sampleRate: Double
  public let channelCount: Int
  /// Frames in the file by its header; nil if the header has no length. Headers of damaged and
  /// malicious files may have any value: only reading to the end finds the true length.
  public let frameCount: Int?
  private let file: String
  private let handle: OpaquePointer
  /// Whether the file is regular: it is read in place and can be read again.
  package let isRegular: Bool
  /// The relay through which a pipe or device is read; nil for a regular file.
  private let relay: FileRelay?
  private let blockFrames: Int
  private var interleaved: [Float] = []
  private var position = 0

  /// Accepted sample rates, in hertz; a header with another rate is taken for damaged.
  public static let sampleRates = 1000.0...768_000.0

  /// Opens a file. A pipe or a device may take 30 seconds for its whole contents.
  ///
  /// - Throws: `cannotOpen`; `sampleRate` for a rate out of `sampleRates`.
  public convenience init(contentsOf url: URL) throws(AudioFileError) {
    try self.init(contentsOf: url, isStream: false)
  }

  /// - Parameter isStream: whether to restart `FileWait.limit` with each piece of a file that is
  ///   not regular; otherwise the limit holds for the whole file.
  /// - Throws: as the other initializer.
  package init(contentsOf url: URL, isStream: Bool) throws(AudioFileError) {
    file = url.relativePath
    let file = file
    let opened: OpenFile
    let relay: FileRelay?
    var info = SF_INFO()
    var handle: OpaquePointer?
    do throws(SystemError) {
      opened = try OpenFile(url.path)
      relay = opened.isRegular ? nil : try FileRelay(opened, renews: isStream)
      // libsndfile closes its descriptor, even on errors.
      let descriptor = relay?.output ?? fcntl(opened.descriptor, F_DUPFD_CLOEXEC, 0)
      guard descriptor >= 0 else { throw .last }
      handle = sf_open_fd(descriptor, Int32(SFM_READ), &info, 1)
    } catch { throw .cannotOpen(file: file, reason: "\(error)") }
    if handle == nil, opened.isRegular {
      // libsndfile knows some kinds only by the file's name, and SD2 by a second file.
      info = SF_INFO()
      // opens: a regular file, as it was just seen
      handle = sf_open(url.path, Int32(SFM_READ), &info)
    }
    guard let handle else {
      let reason = String(cString: sf_strerror(nil))
      throw .cannotOpen(
        file: file,
        reason: opened.isRegular
          ? reason
          : relay?.failure?.description ?? reason + "; through a pipe only WAV and AU can be read")
    }
    (isRegular, self.relay) = (opened.isRegular, relay)
    // libsndfile checks both before it opens a file.
    self.handle = handle
    sampleRate = Double(info.samplerate)
    channelCount = Int(info.channels)
    blockFrames = max(1, min(4096, (1 << 16) / channelCount))
    // For example, a FLAC encoder that wrote to a pipe could not complete its header.
    frameCount = info.frames < 0 || info.frames == .max ? nil : Int(info.frames)
    guard Self.sampleRates.contains(sampleRate) else {
      throw .sampleRate(file: file, hertz: sampleRate)
    }
  }

  deinit { sf_close(handle) }

  /// Moves to the frame to read next.
  ///
  /// - Parameter frame: from 0 on; after the end no frames are read.
  /// - Throws: `invalid` for a frame below 0, `cannotRead`.
  public func seek(toFrame frame: Int) throws(AudioFileError) {
    guard frame >= 0 else { throw .invalid(file: file, reason: "its first frame is 0") }
    let result = sf_seek(handle, sf_count_t(frame), SEEK_SET)
    guard result < 0 else {
      position = Int(result)
      return
    }
    // Beyond the end according to the header.
    if let frameCount, frame > frameCount, sf_seek(handle, sf_count_t(frameCount), SEEK_SET) >= 0 {
      position = frameCount
      return
    }
    throw .cannotRead(
      file: file, seconds: (Double(frame) / sampleRate * 1000).rounded() / 1000,
      reason: String(cString: sf_strerror(handle)))
  }

  /// Reads the next frames into one buffer a channel.
  ///
  /// - Parameters:
  ///   - buffers: `channelCount` buffers with room for `frameCount` frames.
  ///   - frameCount: the number of frames to read.
  /// - Returns: the number of frames read; fewer than requested only at the end of the file.
  /// - Throws: `cannotRead`; `invalid` for another number of buffers or a count below 0.
  public func read(
    into buffers: [UnsafeMutablePointer<Float>], frameCount: Int
  ) throws(AudioFileError) -> Int {
    guard buffers.count == channelCount, frameCount >= 0 else {
      throw .invalid(
        file: file, reason: "it gives 0 or more frames of \(channelCount) channels")
    }
    var done = 0
    while done < frameCount {
      let wanted = min(frameCount - done, blockFrames)
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
  /// Without a maximum it reads the whole rest.
  ///
  /// - Throws: `cannotRead`.
  public func read(maximumFrames: Int? = nil) throws(AudioFileError) -> [[Float]] {
    var channels = [[Float]](repeating: [], count: channelCount)
    var rest = maximumFrames ?? .max
    while rest > 0 {
      let wanted = min(rest, blockFrames)
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

  /// Counts the remaining frames, but stops after `maximumFrames`: a higher result means that there
  /// are more.
  ///
  /// - Parameter isCancelled: called from time to time; if it returns true, the count is not valid.
  /// - Throws: `cannotRead`.
  public func countFrames(
    upTo maximumFrames: Int, isCancelled: () -> Bool = { false }
  ) throws(AudioFileError) -> Int {
    var count = 0
    while count <= maximumFrames, !isCancelled() {
      let read = try readBlock(blockFrames)
      count += read
      if read < blockFrames { break }
    }
    return count
  }

  private func readBlock(_ frames: Int) throws(AudioFileError) -> Int {
    if interleaved.isEmpty {
      interleaved = [Float](repeating: 0, count: blockFrames * channelCount)
    }
    let count = Int(sf_readf_float(handle, &interleaved, sf_count_t(frames)))
    position += count
    guard count < frames else { return count }
    let error = sf_error(handle) == SF_ERR_NO_ERROR ? nil : String(cString: sf_strerror(handle))
    if let reason = relay?.failure?.description ?? error {
      throw .cannotRead(
        file: file, seconds: (Double(position) / sampleRate * 1000).rounded() / 1000,
        reason: reason)
    }
    return count
  }
}
