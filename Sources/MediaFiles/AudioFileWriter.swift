// Writes WAV files that are there whole or not at all.
import CSndFile
import Foundation

/// Streams 32-bit float frames, one buffer a channel, into a WAV file; one above 4 GiB becomes RF64.
///
/// The file is written under a temporary name beside its target and takes the target's name in
/// `finish()`. A writer that is cancelled or let go removes what it has written and leaves a former
/// file as it was.
///
/// - Thread: [control], one thread at a time
public final class AudioFileWriter {
  public let sampleRate: Double
  public let channelCount: Int
  private let file: String
  private let targetPath: String
  private let temporaryPath: String
  private let descriptor: Int32
  private var handle: OpaquePointer?
  private var interleaved: [Float]

  public convenience init(
    url: URL, sampleRate: Double, channelCount: Int
  ) throws(AudioFileError) {
    let file = url.relativePath
    // A link goes on leading to its file; a device or a folder is not to be replaced.
    let target = url.absoluteURL.resolvingSymlinksInPath()
    var status = stat()
    guard stat(target.path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw .cannotCreate(file: file, reason: "it is no regular file")
    }
    let temporary = target.deletingLastPathComponent().appendingPathComponent(
      ".\(target.lastPathComponent.prefix(50)).\(UUID().uuidString).part")
    let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.failure(creating: file, errno, "") }
    try self.init(
      descriptor: descriptor, temporaryPath: temporary.path, targetPath: target.path, file: file,
      sampleRate: sampleRate, channelCount: channelCount)
  }

  /// Takes over an open file; tests give one that is full.
  package init(
    descriptor: Int32, temporaryPath: String, targetPath: String, file: String,
    sampleRate: Double, channelCount: Int
  ) throws(AudioFileError) {
    self.descriptor = descriptor
    self.temporaryPath = temporaryPath
    self.targetPath = targetPath
    self.file = file
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    interleaved = [Float](repeating: 0, count: Self.blockFrames * max(0, min(channelCount, 1024)))
    var info = SF_INFO()
    info.samplerate = Int32(exactly: sampleRate) ?? 0
    info.channels = Int32(exactly: channelCount) ?? 0
    info.format = Int32(SF_FORMAT_RF64 | SF_FORMAT_FLOAT)
    guard sf_format_check(&info) != 0 else {
      discardFile()
      throw .unsupportedFormat(file: file, sampleRate: sampleRate, channelCount: channelCount)
    }
    errno = 0
    guard let handle = sf_open_fd(descriptor, Int32(SFM_WRITE), &info, 0) else {
      let code = errno
      discardFile()
      throw Self.failure(creating: file, code, String(cString: sf_strerror(nil)))
    }
    self.handle = handle
    // An ordinary WAV header where that suffices. RF64 has no PEAK chunk, which holds the time of
    // writing: the same audio gives the same bytes. (Asked to leave it out, libsndfile 1.2 adds it.)
    sf_command(handle, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, 1)
  }

  deinit { cancel() }

  /// Appends frames from one buffer a channel.
  ///
  /// After an error, the file is removed and the writer closed.
  public func write(
    _ buffers: [UnsafePointer<Float>], frameCount: Int
  ) throws(AudioFileError) {
    precondition(buffers.count == channelCount && frameCount >= 0)
    try write(frameCount) { buffers[$0][$1] }
  }

  /// Appends frames from one array a channel, all of one length.
  public func write(_ channels: [[Float]]) throws(AudioFileError) {
    let frameCount = channels.first?.count ?? 0
    precondition(channels.count == channelCount)
    precondition(channels.allSatisfy { $0.count == frameCount })
    try write(frameCount) { channels[$0][$1] }
  }

  /// Completes the file and gives it its name.
  public func finish() throws(AudioFileError) {
    guard let handle else { throw .closed(file: file) }
    errno = 0
    sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    guard sf_error(handle) == SF_ERR_NO_ERROR else { throw fail(errno) }
    self.handle = nil
    guard sf_close(handle) == 0, fsync(descriptor) == 0,
      rename(temporaryPath, targetPath) == 0
    else {
      let code = errno
      discardFile()
      throw Self.failure(writing: file, code, "")
    }
    close(descriptor)
  }

  /// Removes what was written; nothing after `finish()`.
  public func cancel() {
    guard let handle else { return }
    self.handle = nil
    sf_close(handle)
    discardFile()
  }

  private static let blockFrames = 4096

  @inline(__always)
  private func write(
    _ frameCount: Int, sample: (_ channel: Int, _ frame: Int) -> Float
  ) throws(AudioFileError) {
    guard let handle else { throw .closed(file: file) }
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, Self.blockFrames)
      for channel in 0..<channelCount {
        for frame in 0..<count {
          interleaved[frame * channelCount + channel] = sample(channel, done + frame)
        }
      }
      errno = 0
      guard sf_writef_float(handle, interleaved, sf_count_t(count)) == count else {
        throw fail(errno)
      }
      done += count
    }
  }

  private func discardFile() {
    close(descriptor)
    unlink(temporaryPath)
  }

  private func fail(_ code: Int32) -> AudioFileError {
    let reason = String(cString: sf_strerror(handle))
    cancel()
    return Self.failure(writing: file, code, reason)
  }

  private static func failure(
    writing file: String, _ code: Int32, _ reason: String
  ) -> AudioFileError {
    if code == ENOSPC || code == EDQUOT { return .diskFull(file: file) }
    return .cannotWrite(file: file, reason: code == 0 ? reason : String(cString: strerror(code)))
  }

  private static func failure(
    creating file: String, _ code: Int32, _ reason: String
  ) -> AudioFileError {
    if code == ENOSPC || code == EDQUOT { return .diskFull(file: file) }
    return .cannotCreate(file: file, reason: code == 0 ? reason : String(cString: strerror(code)))
  }
}
