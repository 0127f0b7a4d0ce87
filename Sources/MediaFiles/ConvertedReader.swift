// Readers that convert the sample rate.

/// A reader of an audio file, a part of it, or a clip, at a sample rate. It starts at any frame and
/// reads once, or in a seamless loop. Samples that are not finite are replaced by silence.
///
/// Sequential reading is cheap. A jump costs some extra frames: the converter reads them first, so
/// that its output is as if it had read from the beginning.
///
/// - Thread: [control], one thread at a time
public final class ConvertedReader {
  /// The sample rate of the output, in hertz.
  public let sampleRate: Double
  public let channelCount: Int
  /// Length at `sampleRate` by the file's header; at least 1. A loop has 2⁴⁴ frames.
  public let frameCount: Int
  /// Length of a single pass: whole frames, and `rest` of `parts` of a frame.
  package let pass: (frames: Int, rest: Int, parts: Int)
  /// Seconds after which the file ended, if earlier than in its header; nil otherwise.
  public private(set) var endedAfter: Double?
  private let source: any FrameSource
  private let loops: Bool
  private let name: String
  /// The part's first frame and length, at the file's rate.
  private let start: Int
  private let length: Int
  private let rates: RatePair
  /// The next frame of the part to read from the file.
  private var inputFrame = 0
  /// The next frame to return.
  private var outputFrame = 0
  private var converter: RateConverter?

  /// - Parameters:
  ///   - reader: its file has a known length, or its frames were counted.
  ///   - name: the file's, for errors.
  ///   - start: the first frame of the part.
  ///   - frames: length of the part, at the file's rate; nil to the end.
  ///   - sampleRate: in hertz.
  ///   - loops: whether the first frame follows the last one.
  /// - Throws: `empty` for a part without frames, `invalid` for a start below 0, `sampleRate`,
  ///   `audio`.
  public convenience init(
    _ reader: AudioFileReader, name: String, from start: Int = 0, frames: Int? = nil,
    sampleRate: Double, loops: Bool = false
  ) throws(AudioClipError) {
    guard start >= 0 else {
      throw .invalid(name: name, reason: "a part begins with frame 0 or a later one")
    }
    // If the header has no length, `frames` has it.
    let length = min(max(0, (reader.frameCount ?? frames ?? 0) - start), frames ?? .max)
    guard let rates = RatePair(from: reader.sampleRate, to: sampleRate) else {
      throw .sampleRate(name: name, sampleRate, reason: "out of range")
    }
    try self.init(
      reader, channelCount: reader.channelCount, name: name, from: start, frames: length, rates,
      loops: loops)
  }

  /// Reads a clip.
  ///
  /// - Throws: `sampleRate`.
  public convenience init(
    _ clip: AudioClip, name: String, sampleRate: Double, loops: Bool
  ) throws(AudioClipError) {
    guard let rates = RatePair(from: clip.sampleRate, to: sampleRate) else {
      throw .sampleRate(name: name, sampleRate, reason: "out of range")
    }
    try self.init(
      ClipReader(clip), channelCount: clip.channelCount, name: name, from: 0,
      frames: clip.frameCount, rates, loops: loops)
  }

  private init(
    _ source: any FrameSource, channelCount: Int, name: String, from start: Int, frames: Int,
    _ rates: RatePair, loops: Bool
  ) throws(AudioClipError) {
    guard frames > 0 else { throw .empty(name: name) }
    guard let count = rates.frames(lastingAsLong: frames),
      let pass = loops ? rates.length(ofFrames: frames) : (count, 0, 1)
    else { throw .sampleRate(name: name, rates.output, reason: "out of range") }
    (self.source, self.name, self.start, self.rates) = (source, name, start, rates)
    (length, self.loops, sampleRate, self.channelCount) = (
      frames, loops, rates.output, channelCount
    )
    self.pass = pass
    frameCount = loops ? Self.endless : count
    try go(toInput: 0)
  }

  /// Eleven years at 48 kHz; frame counts at any two rates stay in range.
  private static let endless = 1 << 44

  /// Reads frames into one buffer a channel. If the file has fewer than its header says, the rest
  /// is silence.
  ///
  /// - Parameters:
  ///   - frame: the first one, from 0 on.
  ///   - buffers: `channelCount` buffers with room for `count` frames.
  /// - Returns: the number of frames that the file had, at most `count`.
  /// - Throws: `audio`, with silence for all frames that could not be read; `invalid` for a
  ///   negative frame or count, or a wrong number of buffers.
  public func read(
    from frame: Int, into buffers: [UnsafeMutablePointer<Float>], count: Int
  ) throws(AudioClipError) -> Int {
    guard frame >= 0, count >= 0, buffers.count == channelCount else {
      throw .invalid(
        name: name,
        reason: "it gives 0 or more frames of \(channelCount) channels, from frame 0 on")
    }
    for buffer in buffers { buffer.update(repeating: 0, count: count) }
    // Later frames do not exist, and their positions in the file could overflow.
    guard frame < frameCount else { return 0 }
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
    try go(toInput: loops ? input % length : min(input, length))
    outputFrame = frame
    var rest = frame - output
    let size = RateConverter.blockFrames
    let waste = try SampleMemory(count: size * channelCount, name: name)
    let buffers = waste.channels(channelCount, frames: size)
    while rest > 0 {
      let got = try readSome(into: buffers, count: min(rest, size))
      if got == 0 { break }
      rest -= got
    }
  }

  private func go(toInput frame: Int) throws(AudioClipError) {
    inputFrame = frame
    do throws(AudioFileError) { try source.seek(toFrame: start + frame) } catch {
      throw .audio(error)
    }
    if !rates.areEqual {
      converter = try RateConverter(
        from: rates.input, to: rates.output, channelCount: channelCount, name: name)
    }
  }

  /// - Returns: the number of frames read; 0 only at the end.
  private func readSome(
    into buffers: [UnsafeMutablePointer<Float>], count: Int
  ) throws(AudioClipError) -> Int {
    guard let converter else { return try readFile(into: buffers, count: count) }
    return try converter.convert(into: buffers, count: count, from: readFile)
  }

  private func readFile(
    into buffers: [UnsafeMutablePointer<Float>], count: Int
  ) throws(AudioClipError) -> Int {
    do throws(AudioFileError) {
      if loops, inputFrame == length {
        inputFrame = 0
        try source.seek(toFrame: start)
      }
      let wanted = min(count, length - inputFrame)
      let got = try source.read(into: buffers, frameCount: wanted)
      for buffer in buffers {
        for index in 0..<got where !buffer[index].isFinite { buffer[index] = 0 }
      }
      inputFrame += got
      if got == wanted { return got }
      // A short read is the end, even if the header says otherwise.
      endedAfter = endedAfter ?? Double(inputFrame) / rates.input
      if !loops {
        inputFrame = length
        return got
      }
      // All passes are as long as the header says.
      for buffer in buffers { (buffer + got).update(repeating: 0, count: wanted - got) }
      inputFrame += wanted - got
      return wanted
    } catch { throw .audio(error) }
  }
}
