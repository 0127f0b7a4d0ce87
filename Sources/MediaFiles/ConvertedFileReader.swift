// An audio file at another sample rate, read from anywhere.

/// Reads an audio file, or a part of it, at a sample rate, from any frame on. What is not finite is
/// silence.
///
/// Reading on is cheap. A jump costs some frames more, which the converter needs before it is as if
/// it had read all from the beginning.
///
/// - Thread: [control], one thread at a time
public final class ConvertedFileReader {
  /// In hertz.
  public let sampleRate: Double
  public let channelCount: Int
  /// At `sampleRate`, as the file's header has it; at least 1.
  public let frameCount: Int
  private let reader: AudioFileReader
  private let name: String
  /// The part's first frame, and how many it has, at the file's rate.
  private let start: Int
  private let length: Int
  private let rates: RatePair
  /// The next frame of the part that the file gives.
  private var inputFrame = 0
  /// The next frame that is given.
  private var outputFrame = 0
  private var converter: RateConverter?

  /// - Parameters:
  ///   - reader: of a file that says how long it is.
  ///   - name: the file's, for errors.
  ///   - start: the first frame of the part.
  ///   - frames: how many it has, at the file's rate; nil to the end.
  ///   - sampleRate: in hertz.
  /// - Throws: `empty` where the part is not there, `sampleRate`, `audio`.
  public init(
    _ reader: AudioFileReader, name: String, from start: Int = 0, frames: Int? = nil,
    sampleRate: Double
  ) throws(AudioClipError) {
    length = min(max(0, (reader.frameCount ?? 0) - start), frames ?? .max)
    guard length > 0 else { throw .empty(name: name) }
    guard let rates = RatePair(from: reader.sampleRate, to: sampleRate),
      let frameCount = rates.frames(lastingAsLong: length)
    else { throw .sampleRate(name: name, sampleRate, reason: "out of range") }
    (self.reader, self.name, self.start, self.rates) = (reader, name, start, rates)
    (self.sampleRate, self.frameCount) = (sampleRate, frameCount)
    channelCount = reader.channelCount
    try go(toInput: 0)
  }

  /// Reads frames into one buffer a channel; where the file has fewer than its header says, the
  /// rest is silence.
  ///
  /// - Parameters:
  ///   - frame: the first one, from 0 on.
  ///   - buffers: `channelCount` buffers with room for `count` frames.
  /// - Returns: how many the file had.
  /// - Throws: `audio`, with all that could not be read silent.
  public func read(
    from frame: Int, into buffers: [UnsafeMutablePointer<Float>], count: Int
  ) throws(AudioClipError) -> Int {
    for buffer in buffers { buffer.update(repeating: 0, count: count) }
    if frame != outputFrame { try jump(to: frame) }
    var done = 0
    while done < count {
      let got = try readSome(into: buffers.map { $0 + done }, count: count - done)
      if got == 0 { break }
      done += got
    }
    outputFrame += done
    return done
  }

  private func jump(to frame: Int) throws(AudioClipError) {
    let (input, output) = rates.meeting(before: frame)
    try go(toInput: min(input, length))
    outputFrame = frame
    var rest = frame - output
    let size = RateConverter.blockFrames
    let waste = UnsafeMutablePointer<Float>.allocate(capacity: size * channelCount)
    defer { waste.deallocate() }
    let buffers = (0..<channelCount).map { waste + $0 * size }
    while rest > 0 {
      let got = try readSome(into: buffers, count: min(rest, size))
      if got == 0 { break }
      rest -= got
    }
  }

  private func go(toInput frame: Int) throws(AudioClipError) {
    inputFrame = frame
    do throws(AudioFileError) { try reader.seek(toFrame: start + frame) } catch {
      throw .audio(error)
    }
    if !rates.areEqual {
      converter = try RateConverter(rates, channelCount: channelCount, name: name)
    }
  }

  /// - Returns: how many frames there were; 0 only at the end.
  private func readSome(
    into buffers: [UnsafeMutablePointer<Float>], count: Int
  ) throws(AudioClipError) -> Int {
    guard let converter else { return try readFile(into: buffers, count: count) }
    return try converter.convert(into: buffers, count: count, from: readFile)
  }

  private func readFile(
    into buffers: [UnsafeMutablePointer<Float>], count: Int
  ) throws(AudioClipError) -> Int {
    let wanted = min(count, length - inputFrame)
    do throws(AudioFileError) {
      let got = try reader.read(into: buffers, frameCount: wanted)
      // Fewer is the end, whatever the header says.
      inputFrame = got < wanted ? length : inputFrame + got
      for buffer in buffers {
        for index in 0..<got where !buffer[index].isFinite { buffer[index] = 0 }
      }
      return got
    } catch { throw .audio(error) }
  }
}
