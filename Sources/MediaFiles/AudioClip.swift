// Audio clips in memory.

public import FoundationEssentials
import Glibc

/// Immutable samples in memory, for the render thread to read. Samples that are not finite are
/// replaced by silence.
///
/// AUv3: `AVAudioPCMBuffer`.
public final class AudioClip: @unchecked Sendable {
  /// The most memory that the samples of a file may take: 46 minutes of stereo at 48 kHz.
  public static let maximumBytes = 1 << 30

  /// The sample rate, in hertz.
  ///
  /// - Thread: [any]
  public let sampleRate: Double
  /// The number of channels, at least 1.
  ///
  /// - Thread: [any]
  public let channelCount: Int
  /// The number of frames, at least 1.
  ///
  /// - Thread: [any]
  public let frameCount: Int
  /// All samples, one channel after the other; valid as long as the clip.
  ///
  /// - Thread: [any]
  public let samples: UnsafePointer<Float>
  private let memory: SampleMemory

  /// Copies samples.
  ///
  /// - Parameters:
  ///   - channels: one array of samples a channel, of equal length, at least one sample.
  ///   - sampleRate: in hertz.
  ///   - name: for errors.
  /// - Throws: `empty`, `channels` for unequal lengths, `sampleRate` if it is not positive and
  ///   finite.
  /// - Thread: [control]
  public convenience init(
    _ channels: [[Float]], sampleRate: Double, name: String = "the clip"
  ) throws(AudioClipError) {
    let frames = channels.first?.count ?? 0
    guard channels.allSatisfy({ $0.count == frames }) else {
      throw .channels(name: name, frameCounts: channels.map(\.count))
    }
    guard frames > 0 else { throw .empty(name: name) }
    guard sampleRate > 0, sampleRate.isFinite else {
      throw .sampleRate(name: name, sampleRate, reason: "out of range")
    }
    try self.init(
      channelCount: channels.count, frameCount: frames, sampleRate: sampleRate, name: name)
    for channel in channels.indices {
      channels[channel].withUnsafeBufferPointer { fill(channel, from: 0, $0.baseAddress!, frames) }
    }
  }

  /// Reads a file to its end, also beyond the length in its header.
  ///
  /// - Parameter maximumBytes: the most memory that its samples may take.
  /// - Throws: `audio` with the error of the file, `empty`, `tooLarge`, `outOfMemory`.
  /// - Thread: [control]
  public convenience init(
    contentsOf url: URL, maximumBytes: Int = AudioClip.maximumBytes
  ) throws(AudioClipError) {
    let reader: AudioFileReader
    do throws(AudioFileError) {
      reader = try AudioFileReader(contentsOf: url, isStream: true)
    } catch {
      throw .audio(error)
    }
    try self.init(reader, name: url.relativePath, maximumBytes: maximumBytes)
  }

  /// Reads the remaining frames of a file.
  ///
  /// - Parameters:
  ///   - name: the file's, for errors.
  ///   - frames: the most frames to read; nil to read to the end.
  ///   - maximumBytes: the most memory that the samples may take.
  /// - Throws: `audio` with the error of the file, `empty`, `tooLarge`, `outOfMemory`.
  /// - Thread: [control]
  public convenience init(
    _ reader: AudioFileReader, name: String, frames wanted: Int? = nil, maximumBytes: Int
  ) throws(AudioClipError) {
    let channels = reader.channelCount
    let blockFrames = max(1, (1 << 17) / channels)
    let frameBytes = channels * MemoryLayout<Float>.size
    var blocks: [(memory: SampleMemory, frames: Int)?] = []
    var frames = 0
    while frames < wanted ?? .max {
      let request = min(blockFrames, (wanted ?? .max) - frames)
      let memory = try SampleMemory(count: blockFrames * channels, name: name)
      let count: Int
      do throws(AudioFileError) {
        count = try reader.read(
          into: memory.channels(channels, frames: blockFrames), frameCount: request)
      } catch { throw .audio(error) }
      frames += count
      if frames * frameBytes > maximumBytes {
        throw .tooLarge(name: name, maximumBytes: maximumBytes)
      }
      blocks.append((memory, count))
      if count < request { break }
    }
    if frames == 0 { throw .empty(name: name) }
    try self.init(
      channelCount: channels, frameCount: frames, sampleRate: reader.sampleRate, name: name)
    var done = 0
    // Copied blocks are freed at once, so that memory never holds all samples twice.
    for index in blocks.indices {
      guard let (memory, count) = blocks[index] else { continue }
      for (channel, samples) in memory.channels(channels, frames: blockFrames).enumerated() {
        fill(channel, from: done, samples, count)
      }
      done += count
      blocks[index] = nil
    }
  }

  /// Allocates memory for samples, which `fill` initialises.
  init(
    channelCount: Int, frameCount: Int, sampleRate: Double, name: String
  ) throws(AudioClipError) {
    memory = try SampleMemory(count: channelCount * frameCount, name: name)
    samples = UnsafePointer(memory.samples)
    self.channelCount = channelCount
    self.frameCount = frameCount
    self.sampleRate = sampleRate
  }

  /// Writes samples of a channel, in a clip that is not shared yet.
  private func fill(
    _ channel: Int, from frame: Int, _ values: UnsafePointer<Float>, _ count: Int
  ) {
    let target = memory.samples + channel * frameCount + frame
    for index in 0..<count {
      (target + index).initialize(to: values[index].isFinite ? values[index] : 0)
    }
  }

  /// Writes a whole channel, in a clip that is not shared yet.
  ///
  /// - Parameter read: reads up to a number of samples; 0 at the end. Silence follows.
  func fill(
    _ channel: Int, _ read: (UnsafeMutablePointer<Float>, Int) throws(AudioClipError) -> Int
  ) throws(AudioClipError) {
    let own = memory.samples + channel * frameCount
    own.initialize(repeating: 0, count: frameCount)
    var done = 0
    while done < frameCount {
      let got = try read(own + done, frameCount - done)
      if got == 0 { break }
      done += got
    }
    for index in 0..<done where !own[index].isFinite { own[index] = 0 }
  }

  /// The samples, by channel.
  ///
  /// - Thread: [any]
  public var channels: [[Float]] {
    (0..<channelCount).map {
      Array(UnsafeBufferPointer(start: samples + $0 * frameCount, count: frameCount))
    }
  }
}

/// Errors of making a clip.
public enum AudioClipError: Error, Equatable, CustomStringConvertible {
  case audio(AudioFileError)
  /// Audio of no frames.
  case empty(name: String)
  /// Channels of unequal length.
  case channels(name: String, frameCounts: [Int])
  /// Audio larger than the allowed memory.
  case tooLarge(name: String, maximumBytes: Int)
  /// Audio for which there is not enough memory.
  case outOfMemory(name: String, bytes: Int)
  /// Conversion between sample rates that is not possible.
  case sampleRate(name: String, Double, reason: String)
  /// A call with invalid values, which changed nothing.
  case invalid(name: String, reason: String)

  public var description: String {
    switch self {
    case .audio(let error): error.description
    case .empty(let name): "\(name) is empty"
    case .channels(let name, let counts):
      "\(name) has channels of \(counts.map(String.init).joined(separator: ", ")) samples; "
        + "accepted: as many in each"
    case .tooLarge(let name, let maximum):
      "\(name) is too long to be played: its samples take more than \(maximum >> 20) MB of memory"
    case .outOfMemory(let name, let bytes):
      "\(name): not enough memory for its samples: \(bytes >> 20) MB"
    case .sampleRate(let name, let rate, let reason):
      "\(name) cannot be converted from or to \(rate) Hz: \(reason)"
    case .invalid(let name, let reason): "\(name): \(reason)"
    }
  }
}
