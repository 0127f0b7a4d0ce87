// Writes audio files that are there whole or not at all.
import Files
import Foundation

/// Streams 32-bit float frames, one buffer a channel, into an audio file; a WAV file above 4 GiB
/// becomes RF64.
///
/// The file is written under a temporary name beside its target and takes the target's name in
/// `finish()`. A writer that is cancelled or let go removes what it has written and leaves a former
/// file as it was. What a writer of a dead process left in the folder is removed.
///
/// A recording is written under its own name instead, and stays as far as it goes: others can read
/// all but its last second at any time, after a crash too.
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
  private var encoder: (any AudioEncoder)?
  private var converter: SampleConverter
  /// After how many frames others are to read what has been written; nil at the end alone.
  private let refreshFrames: Int?
  private var refreshedFrames = 0

  /// - Parameters:
  ///   - format: nil is what the name says.
  ///   - overwrites: whether a former file is replaced.
  /// - Throws: all that can be known before the first frame: the folder, the name, the format, and
  ///   `exists` for a former file that stays.
  public convenience init(
    url: URL, format: AudioFileFormat? = nil, sampleRate: Double, channelCount: Int,
    overwrites: Bool = true
  ) throws(AudioFileError) {
    let file = url.relativePath
    let chosen: AudioFileFormat
    if let format { chosen = format } else { chosen = try AudioFileFormat(fileName: file) }
    // A link goes on leading to its file.
    let target = url.absoluteURL.resolvingSymlinksInPath()
    let temporary: TemporaryFile
    do throws(SystemError) {
      temporary = try TemporaryFile(for: target.path, overwrites: overwrites)
    } catch {
      if error.number == EEXIST { throw .exists(file: file) }
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
      growing, descriptor: growing.descriptor, isRecording: true, file: file, format: format,
      sampleRate: sampleRate, channelCount: channelCount)
  }

  /// Takes over a file; tests give the descriptor of another one, which is full.
  package init(
    _ written: any WrittenFile, descriptor: Int32, isRecording: Bool = false, file: String,
    format: AudioFileFormat, sampleRate: Double, channelCount: Int
  ) throws(AudioFileError) {
    self.written = written
    self.file = file
    self.format = format
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    sink = AudioFileSink(descriptor: descriptor)
    converter = SampleConverter(
      format, channelCount: max(0, min(channelCount, 1024)), frames: Self.blockFrames)
    let (rate, channels) = (Int32(exactly: sampleRate) ?? 0, Int32(exactly: channelCount) ?? 0)
    refreshFrames = isRecording ? max(1, Int(rate / 2)) : nil
    if rate > 0, channels > 0 {
      encoder =
        format.encoding == .vorbis
        ? VorbisEncoder(sink, sampleRate: rate, channelCount: channels)
        : SndFileEncoder(sink, format, sampleRate: rate, channelCount: channels)
    }
    guard encoder != nil, sink.error == 0 else {
      cancel()
      written.discard()
      if sink.error != 0 { throw Self.failure(SystemError(number: sink.error), file: file) }
      throw .unsupportedFormat(
        file: file, format: format.name, sampleRate: sampleRate, channelCount: channelCount)
    }
  }

  deinit { cancel() }

  /// The largest absolute value of a sample so far; 1 is full scale.
  public var peak: Float { converter.peak }

  /// Samples beyond full scale so far, which the format cuts off there; none in a float file.
  public var clippedSamples: Int { converter.clippedSamples }

  /// Appends frames from one buffer a channel.
  ///
  /// After an error, the file is removed and the writer closed.
  ///
  /// - Throws: `invalid` for another number of buffers than of channels or a count below 0, which
  ///   changes nothing.
  public func write(
    _ buffers: [UnsafePointer<Float>], frameCount: Int
  ) throws(AudioFileError) {
    try check(buffers.count, frameCount: frameCount)
    try write(frameCount) { buffers[$0][$1] }
  }

  /// Appends frames from one array a channel, all of one length.
  ///
  /// - Throws: as above, and `invalid` for channels of several lengths.
  public func write(_ channels: [[Float]]) throws(AudioFileError) {
    let frameCount = channels.first?.count ?? 0
    try check(channels.count, frameCount: frameCount)
    guard channels.allSatisfy({ $0.count == frameCount }) else {
      throw .invalid(file: file, reason: "all channels take as many samples")
    }
    try write(frameCount) { channels[$0][$1] }
  }

  private func check(_ channels: Int, frameCount: Int) throws(AudioFileError) {
    guard channels == channelCount, frameCount >= 0 else {
      throw .invalid(
        file: file,
        reason: "it takes \(channelCount) channels of 0 or more frames, not \(channels) of "
          + "\(frameCount)")
    }
  }

  /// Completes the file and gives it its name.
  public func finish() throws(AudioFileError) {
    guard let encoder else { throw .closed(file: file) }
    self.encoder = nil
    // The last bytes of many formats are written here, with nobody but the sink to tell of errors.
    let reason = encoder.close()
    guard reason == nil, sink.error == 0 else {
      written.discard()
      throw Self.failure(SystemError(number: sink.error), reason ?? "", file: file)
    }
    do throws(SystemError) { try written.commit() } catch {
      throw Self.failure(error, file: file)
    }
  }

  /// Removes what was written; nothing after `finish()`.
  public func cancel() {
    guard let encoder else { return }
    self.encoder = nil
    _ = encoder.close()
    written.discard()
  }

  private static let blockFrames = 4096

  @inline(__always)
  private func write(
    _ frameCount: Int, sample: (_ channel: Int, _ frame: Int) -> Float
  ) throws(AudioFileError) {
    guard encoder != nil else { throw .closed(file: file) }
    let maximum = format.maximumFrames(channelCount: channelCount)
    guard frameCount <= maximum - self.frameCount else {
      cancel()
      throw .tooLong(file: file, format: format.name, maximumFrames: maximum)
    }
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, Self.blockFrames, refreshFrames ?? .max)
      converter.convert(count) { sample($0, done + $1) }
      try writeBlock(count)
      done += count
    }
  }

  private func writeBlock(_ count: Int) throws(AudioFileError) {
    try check(encoder?.write(converter, count))
    frameCount += count
    if let refreshFrames, frameCount - refreshedFrames >= refreshFrames {
      refreshedFrames = frameCount
      encoder?.refresh()
      try check(nil)
    }
  }

  /// - Parameter reason: why the encoder has failed.
  private func check(_ reason: String?) throws(AudioFileError) {
    guard reason == nil, sink.error == 0 else {
      cancel()
      throw Self.failure(SystemError(number: sink.error), reason ?? "", file: file)
    }
  }

  private static func failure(
    _ error: SystemError, _ reason: String = "", file: String
  ) -> AudioFileError {
    if error.isFullDisk { return .diskFull(file: file) }
    if error.number == EEXIST { return .exists(file: file) }
    return .cannotWrite(file: file, reason: error.number == 0 ? reason : error.description)
  }
}
