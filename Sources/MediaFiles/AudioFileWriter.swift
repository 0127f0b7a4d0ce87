// Writers of audio files.
import Files
import FoundationEssentials
import Glibc

/// A stream of 32-bit float frames into an audio file, one buffer a channel. A WAV file above 4 GiB
/// becomes RF64.
///
/// The file is written under a temporary name in its target's folder and renamed to the target in
/// `finish()`. A writer that is cancelled or deallocated removes its file and leaves an existing
/// target unchanged. Temporary files of ended processes in the folder are removed.
///
/// A recording is written under its own name instead, and its file stays even if it is incomplete.
/// Others can read all but its last second at any time, also after a crash.
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
  /// Frames between updates that make the file readable by others; nil for only at the end.
  private let refreshFrames: Int?
  private var refreshedFrames = 0

  /// Writes a file that takes its name in `finish()`.
  ///
  /// - Parameters:
  ///   - format: nil to choose it by the file's name.
  ///   - overwrites: whether an existing file is replaced.
  /// - Throws: all errors found before the first frame: of the folder, the name and the format, and
  ///   `exists` for an existing file.
  public convenience init(
    url: URL, format: AudioFileFormat? = nil, sampleRate: Double, channelCount: Int,
    overwrites: Bool = true
  ) throws(AudioFileError) {
    let file = url.relativePath
    let chosen: AudioFileFormat
    if let format { chosen = format } else { chosen = try AudioFileFormat(fileName: file) }
    // A symbolic link keeps pointing to its file.
    let target = url.absoluteURL.resolvingSymlinksInPath()
    let temporary: TemporaryFile
    do throws(SystemError) {
      temporary = try TemporaryFile(for: target.path, overwrites: overwrites)
    } catch {
      if error.number == EINVAL { throw .cannotCreate(file: file, reason: "it is no regular file") }
      throw AudioFileError(creating: file, error)
    }
    try self.init(
      temporary, descriptor: temporary.descriptor, file: file, format: chosen,
      sampleRate: sampleRate, channelCount: channelCount)
  }

  /// Writes a new file under its own name: a recording, which stays even if it is incomplete.
  ///
  /// - Throws: `exists` if the name is taken, and the errors of the other initializer.
  public convenience init(
    recordingTo url: URL, format: AudioFileFormat, sampleRate: Double, channelCount: Int
  ) throws(AudioFileError) {
    let file = url.relativePath
    let growing: GrowingFile
    do throws(SystemError) { growing = try GrowingFile(path: url.path) } catch {
      throw AudioFileError(creating: file, error)
    }
    try self.init(
      growing, descriptor: growing.descriptor, isRecording: true, file: file, format: format,
      sampleRate: sampleRate, channelCount: channelCount)
  }

  /// Writes to an open file. Tests pass the descriptor of another file, on a full disk.
  ///
  /// - Throws: `unsupportedFormat`, and the errors of the disk.
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
      if sink.error != 0 { throw AudioFileError(writing: file, SystemError(number: sink.error)) }
      throw .unsupportedFormat(
        file: file, format: format.name, sampleRate: sampleRate, channelCount: channelCount)
    }
  }

  deinit { cancel() }

  /// The largest absolute value of all samples written; 1 is full scale.
  public var peak: Float { converter.peak }

  /// Samples beyond full scale that were clipped; always 0 in a float file.
  public var clippedSamples: Int { converter.clippedSamples }

  /// Appends frames from one buffer a channel.
  ///
  /// An error closes the writer and discards the file; a recording stays.
  ///
  /// - Throws: `closed`, `tooLong`, `diskFull`, `cannotWrite`; `invalid` for a wrong number of
  ///   buffers or a count below 0, which changes nothing.
  public func write(
    _ buffers: [UnsafePointer<Float>], frameCount: Int
  ) throws(AudioFileError) {
    try check(buffers.count, frameCount: frameCount)
    try write(frameCount) { buffers[$0][$1] }
  }

  /// Appends frames from one array a channel, all of one length.
  ///
  /// - Throws: as above, and `invalid` for channels of unequal length.
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

  /// Completes the file and gives it its final name.
  ///
  /// - Throws: `closed`, `diskFull`, `cannotWrite`; `exists` if the target has been created since
  ///   and must not be replaced.
  public func finish() throws(AudioFileError) {
    guard let encoder else { throw .closed(file: file) }
    self.encoder = nil
    // Many formats write their last bytes here, and only the sink reports errors of them.
    let reason = encoder.close()
    guard reason == nil, sink.error == 0 else {
      written.discard()
      throw AudioFileError(writing: file, SystemError(number: sink.error), reason ?? "")
    }
    do throws(SystemError) { try written.commit() } catch {
      throw AudioFileError(writing: file, error)
    }
  }

  /// Closes the writer and removes the file, unless it is a recording. No effect after `finish()`.
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

  /// - Parameter reason: the encoder's failure.
  private func check(_ reason: String?) throws(AudioFileError) {
    guard reason == nil, sink.error == 0 else {
      cancel()
      throw AudioFileError(writing: file, SystemError(number: sink.error), reason ?? "")
    }
  }
}
