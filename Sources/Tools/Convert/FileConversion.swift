// Conversion of audio files.

import DSP
import Files
public import FoundationEssentials
public import MediaFiles
import SessionModel

/// The reason why a file cannot be converted.
public enum ConversionError: Error, CustomStringConvertible {
  case audio(AudioFileError)
  case clip(AudioClipError)
  case overwrites(file: String)
  case channels(from: Int, to: Int)
  case noLength(file: String)
  case noSpace(file: String, bytes: Int, free: Int)
  case cancelled

  /// Whether it is an error of usage, for the exit status.
  public var isUsage: Bool {
    if case .audio(.exists) = self { true } else { false }
  }

  public var description: String {
    switch self {
    case .audio(.exists(let file)): replaceText(file)
    case .audio(let error): error.description
    case .clip(let error): error.description
    case .overwrites(let file): "\(file) is the file that is read; give the output another name"
    case .channels(let from, let to):
      "there is no matrix from \(from) channels to \(to); 1, 2, 4 and 6 come into each other"
    case .noLength(let file):
      "\(file) does not say how long it is, and cannot be read twice, which another sample rate "
        + "needs; accepted: a regular file"
    case .noSpace(let file, let bytes, let free):
      "\(file) would take \(byteText(bytes)), and there are \(byteText(free)) free"
    case .cancelled: "cancelled; nothing was written"
    }
  }
}

/// A conversion of an audio file, of any kind that libsndfile supports, to another type, sample
/// rate (soxr), encoding or channel count (`MixMatrix`). Memory use does not depend on the length.
public struct FileConversion: Sendable {
  public var input: URL
  public var output: URL
  /// The sample encoding; nil for the default of the output's file type.
  public var encoding: AudioFileFormat.Encoding?
  /// The output's sample rate in hertz; nil for the input's rate.
  public var sampleRate: Double?
  /// The output's channel count; nil for that of the input.
  public var channels: Int?
  /// Whether to replace an existing output; otherwise it is refused.
  public var overwrites: Bool

  private static let blockFrames = 4096
  /// The most frames that any format can count.
  private static let mostFrames = (1 << 36) - 1

  public init(
    input: URL, output: URL, encoding: AudioFileFormat.Encoding? = nil, sampleRate: Double? = nil,
    channels: Int? = nil, overwrites: Bool = false
  ) {
    self.input = input
    self.output = output
    self.encoding = encoding
    self.sampleRate = sampleRate
    self.channels = channels
    self.overwrites = overwrites
  }

  /// The result of a conversion.
  public struct Result: Sendable {
    public let frames: Int
    public let channels: Int
    public let sampleRate: Double
    public let format: AudioFileFormat
    /// Samples beyond full scale, which the format clips.
    public let clippedSamples: Int
  }

  /// Converts the whole file.
  ///
  /// - Parameters:
  ///   - progress: called after each block with the part that is done, 0 to 1, if the length is
  ///     known.
  ///   - isCancelled: called after each block.
  /// - Thread: [control]
  public func run(
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws(ConversionError) -> Result {
    if let identity = FileIdentity(path: output.path),
      FileIdentity(path: input.path) == identity
    {
      throw .overwrites(file: output.relativePath)
    }
    let reader = try wrap(ConversionError.audio) { () throws(AudioFileError) in
      try AudioFileReader(contentsOf: input, isStream: true)
    }
    let format = try wrap(ConversionError.audio) { () throws(AudioFileError) in
      try AudioFileFormat(fileName: output.relativePath, encoding: encoding)
    }
    let rate = sampleRate ?? reader.sampleRate
    let count = channels ?? reader.channelCount
    guard count == reader.channelCount || MixMatrix.exists(from: reader.channelCount, to: count)
    else { throw .channels(from: reader.channelCount, to: count) }
    let writer = try wrap(ConversionError.audio) { () throws(AudioFileError) in
      try AudioFileWriter(
        url: output, format: format, sampleRate: rate, channelCount: count, overwrites: overwrites)
    }
    let converted = try converter(reader, to: rate, isCancelled)
    if isCancelled() { throw .cancelled }
    try checkSpace(converted?.frameCount, channels: count, sampleRate: rate, format)
    let matrix = ChannelMatrix(from: reader.channelCount, to: count)
    let buffers = FrameBuffers(channels: reader.channelCount, frames: Self.blockFrames)
    var frame = 0
    while true {
      let got: Int
      if let converted {
        let wanted = min(Self.blockFrames, converted.frameCount - frame)
        got = try wrap(ConversionError.clip) { () throws(AudioClipError) in
          try converted.read(from: frame, into: buffers.channels, count: wanted)
        }
      } else {
        got = try wrap(ConversionError.audio) { () throws(AudioFileError) in
          try reader.read(into: buffers.channels, frameCount: Self.blockFrames)
        }
      }
      guard got > 0 else { break }
      try wrap(ConversionError.audio) { () throws(AudioFileError) in
        try writer.write(matrix.mix(buffers, count: got))
      }
      frame += got
      if isCancelled() { throw .cancelled }
      if let total = converted?.frameCount { progress(Double(frame) / Double(total)) }
    }
    try wrap(ConversionError.audio) { () throws(AudioFileError) in try writer.finish() }
    return Result(
      frames: frame, channels: count, sampleRate: rate, format: format,
      clippedSamples: writer.clippedSamples)
  }

  /// Makes the converter; nil for an input of unknown length that keeps its rate.
  private func converter(
    _ reader: AudioFileReader, to rate: Double, _ isCancelled: () -> Bool
  ) throws(ConversionError) -> ConvertedReader? {
    let length = try wrap(ConversionError.audio) { () throws(AudioFileError) in
      try reader.measure(input, upTo: Self.mostFrames, isCancelled: isCancelled)
    }
    guard let frames = length ?? reader.frameCount else {
      guard rate == reader.sampleRate else { throw .noLength(file: input.relativePath) }
      return nil
    }
    return try wrap(ConversionError.clip) { () throws(AudioClipError) in
      try ConvertedReader(reader, name: input.relativePath, frames: frames, sampleRate: rate)
    }
  }

  private func checkSpace(
    _ frames: Int?, channels: Int, sampleRate: Double, _ format: AudioFileFormat
  ) throws(ConversionError) {
    let size = BounceSize(format: format, channels: channels, sampleRate: sampleRate)
    let folder = output.absoluteURL.resolvingSymlinksInPath().deletingLastPathComponent()
    guard let frames, let bytes = size.bytes(frames: frames),
      let free = DiskSpace.free(in: folder.path), bytes > free
    else { return }
    throw .noSpace(file: output.relativePath, bytes: bytes, free: free)
  }
}
