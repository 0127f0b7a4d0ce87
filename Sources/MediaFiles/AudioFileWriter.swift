// Writes audio files that are there whole or not at all.
import CSndFile
import Files
import Foundation

/// Streams 32-bit float frames, one buffer a channel, into an audio file; a WAV file above 4 GiB
/// becomes RF64.
///
/// The file is written under a temporary name beside its target and takes the target's name in
/// `finish()`. A writer that is cancelled or let go removes what it has written and leaves a former
/// file as it was. What a writer of a dead process left in the folder is removed.
///
/// A recording is written under its own name instead, and stays as far as it goes.
///
/// - Thread: [control], one thread at a time
public final class AudioFileWriter {
  public let format: AudioFileFormat
  public let sampleRate: Double
  public let channelCount: Int
  /// Frames written so far.
  public private(set) var frameCount = 0
  private let file: String
  private let written: any WrittenFile
  private let sink: AudioFileSink
  private var handle: OpaquePointer?
  private var converter: SampleConverter

  /// - Parameter format: nil is what the name says.
  /// - Throws: all that can be known before the first frame: the folder, the name, the format.
  public convenience init(
    url: URL, format: AudioFileFormat? = nil, sampleRate: Double, channelCount: Int
  ) throws(AudioFileError) {
    let file = url.relativePath
    let chosen: AudioFileFormat
    if let format { chosen = format } else { chosen = try AudioFileFormat(fileName: file) }
    // A link goes on leading to its file.
    let target = url.absoluteURL.resolvingSymlinksInPath()
    let temporary: TemporaryFile
    do throws(SystemError) { temporary = try TemporaryFile(for: target.path) } catch {
      if error.number == EINVAL { throw .cannotCreate(file: file, reason: "it is no regular file") }
      throw error.isFullDisk
        ? .diskFull(file: file) : .cannotCreate(file: file, reason: error.description)
    }
    try self.init(
      temporary, descriptor: temporary.descriptor, file: file, format: chosen,
      sampleRate: sampleRate, channelCount: channelCount)
  }

  /// Writes a new file under its own name: a recording, which keeps what has been written.
  ///
  /// - Throws: `exists` where there is something of that name, else as above.
  public convenience init(
    recordingTo url: URL, format: AudioFileFormat, sampleRate: Double, channelCount: Int
  ) throws(AudioFileError) {
    let file = url.relativePath
    let growing: GrowingFile
    do throws(SystemError) { growing = try GrowingFile(path: url.path) } catch {
      if error.number == EEXIST { throw .exists(file: file) }
      throw error.isFullDisk
        ? .diskFull(file: file) : .cannotCreate(file: file, reason: error.description)
    }
    try self.init(
      growing, descriptor: growing.descriptor, file: file, format: format, sampleRate: sampleRate,
      channelCount: channelCount)
  }

  /// Takes over a file; tests give the descriptor of another one, which is full.
  package init(
    _ written: any WrittenFile, descriptor: Int32, file: String, format: AudioFileFormat,
    sampleRate: Double, channelCount: Int
  ) throws(AudioFileError) {
    self.written = written
    self.file = file
    self.format = format
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    sink = AudioFileSink(descriptor: descriptor)
    converter = SampleConverter(
      format, channelCount: max(0, min(channelCount, 1024)), frames: Self.blockFrames)
    var info = SF_INFO()
    info.samplerate = Int32(exactly: sampleRate) ?? 0
    info.channels = Int32(exactly: channelCount) ?? 0
    info.format = format.number
    guard info.samplerate > 0, sf_format_check(&info) != 0, let handle = sink.open(&info) else {
      written.discard()
      if sink.error != 0 { throw Self.failure(SystemError(number: sink.error), file: file) }
      throw .unsupportedFormat(
        file: file, format: format.name, sampleRate: sampleRate, channelCount: channelCount)
    }
    self.handle = handle
    // An ordinary WAV header where that suffices. RF64 has no PEAK chunk, which holds the time of
    // writing: the same audio gives the same bytes. (Asked to leave it out, libsndfile 1.2 adds
    // it.)
    sf_command(handle, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, 1)
    if format.container == .aiff || format.container == .caf {
      sf_command(handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, 0)
    }
    var quality = 0.6
    sf_command(
      handle, Int32(SFC_SET_VBR_ENCODING_QUALITY), &quality, Int32(MemoryLayout<Double>.size))
  }

  deinit { cancel() }

  /// The largest absolute value of a sample so far; 1 is full scale.
  public var peak: Float { converter.peak }

  /// Samples beyond full scale so far, which the format cuts off there; none in a float file.
  public var clippedSamples: Int { converter.clippedSamples }

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

  /// Has the file say how long it is now, for those who find it as it is after a crash.
  public func refresh() throws(AudioFileError) {
    guard let handle else { throw .closed(file: file) }
    sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    guard sink.error == 0 else {
      cancel()
      throw Self.failure(SystemError(number: sink.error), file: file)
    }
  }

  /// Completes the file and gives it its name.
  public func finish() throws(AudioFileError) {
    guard let handle else { throw .closed(file: file) }
    self.handle = nil
    // The last bytes of many formats are written here, with nobody but the sink to tell of errors.
    let status = sf_close(handle)
    guard status == 0, sink.error == 0 else {
      written.discard()
      // Some formats close with a number that libsndfile has no text for, and says so on standard
      // output.
      let reason = status > 0 ? String(cString: sf_error_number(status)) : "it cannot be closed"
      throw Self.failure(SystemError(number: sink.error), reason, file: file)
    }
    do throws(SystemError) { try written.commit() } catch {
      throw Self.failure(error, file: file)
    }
  }

  /// Removes what was written; nothing after `finish()`.
  public func cancel() {
    guard let handle else { return }
    self.handle = nil
    sf_close(handle)
    written.discard()
  }

  private static let blockFrames = 4096

  @inline(__always)
  private func write(
    _ frameCount: Int, sample: (_ channel: Int, _ frame: Int) -> Float
  ) throws(AudioFileError) {
    guard handle != nil else { throw .closed(file: file) }
    let maximum = format.maximumFrames(channelCount: channelCount)
    guard frameCount <= maximum - self.frameCount else {
      cancel()
      throw .tooLong(file: file, format: format.name, maximumFrames: maximum)
    }
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, Self.blockFrames)
      converter.convert(count) { sample($0, done + $1) }
      try writeBlock(count)
      done += count
    }
  }

  private func writeBlock(_ count: Int) throws(AudioFileError) {
    let written =
      format.integerBits == nil
      ? sf_writef_float(handle, converter.floats, sf_count_t(count))
      : sf_writef_int(handle, converter.integers, sf_count_t(count))
    guard written == count, sink.error == 0 else {
      let reason = sink.error == 0 ? String(cString: sf_strerror(handle)) : ""
      cancel()
      throw Self.failure(SystemError(number: sink.error), reason, file: file)
    }
    frameCount += count
  }

  private static func failure(
    _ error: SystemError, _ reason: String = "", file: String
  ) -> AudioFileError {
    if error.isFullDisk { return .diskFull(file: file) }
    return .cannotWrite(file: file, reason: error.number == 0 ? reason : error.description)
  }
}
