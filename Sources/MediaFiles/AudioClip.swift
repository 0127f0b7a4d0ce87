// Sound in memory.

public import Foundation

/// Samples in memory that nobody changes any more, for the render thread to read.
///
/// What is not finite among them is silence.
///
/// AUv3: `AVAudioPCMBuffer`.
public final class AudioClip: @unchecked Sendable {
  /// The most memory that the samples of a file may take: 46 minutes of stereo at 48 kHz.
  public static let maximumBytes = 1 << 30

  /// In hertz.
  ///
  /// - Thread: [any]
  public let sampleRate: Double
  /// At least 1.
  ///
  /// - Thread: [any]
  public let channelCount: Int
  /// At least 1.
  ///
  /// - Thread: [any]
  public let frameCount: Int
  /// All samples, one channel behind the other; valid as long as the clip.
  ///
  /// - Thread: [any]
  public let samples: UnsafePointer<Float>
  private let memory: UnsafeMutablePointer<Float>

  /// Copies samples.
  ///
  /// - Parameters:
  ///   - channels: as many samples for each channel, at least one.
  ///   - sampleRate: in hertz.
  ///   - name: for errors.
  /// - Thread: [control]
  public convenience init(
    _ channels: [[Float]], sampleRate: Double, name: String = "the clip"
  ) throws(AudioClipError) {
    precondition(
      channels.allSatisfy { $0.count == channels[0].count },
      "all channels of a clip have as many samples")
    let frames = channels.first?.count ?? 0
    guard frames > 0 else { throw .empty(name: name) }
    try self.init(
      channelCount: channels.count, frameCount: frames, sampleRate: sampleRate, name: name)
    for channel in channels.indices { fill(channel, from: 0, channels[channel]) }
  }

  /// Reads a file to its end, whatever its header says of its length.
  ///
  /// - Parameter maximumBytes: how much memory its samples may take.
  /// - Thread: [control]
  public convenience init(
    contentsOf url: URL, maximumBytes: Int = AudioClip.maximumBytes
  ) throws(AudioClipError) {
    let reader: AudioFileReader
    do throws(AudioFileError) { reader = try AudioFileReader(contentsOf: url) } catch {
      throw .audio(error)
    }
    try self.init(reader, name: url.relativePath, maximumBytes: maximumBytes)
  }

  /// Reads what is left of a file.
  ///
  /// - Parameters:
  ///   - name: the file's, for errors.
  ///   - frames: how many frames are wanted at most; nil to the end.
  ///   - maximumBytes: how much memory the samples may take.
  /// - Thread: [control]
  public convenience init(
    _ reader: AudioFileReader, name: String, frames wanted: Int? = nil, maximumBytes: Int
  ) throws(AudioClipError) {
    let blockFrames = 1 << 16
    let frameBytes = reader.channelCount * MemoryLayout<Float>.size
    var blocks: [[[Float]]] = []
    var frames = 0
    while frames < wanted ?? .max {
      let request = min(blockFrames, (wanted ?? .max) - frames)
      let block: [[Float]]
      do throws(AudioFileError) { block = try reader.read(maximumFrames: request) } catch {
        throw .audio(error)
      }
      frames += block[0].count
      if frames * frameBytes > maximumBytes {
        throw .tooLarge(name: name, maximumBytes: maximumBytes)
      }
      blocks.append(block)
      if block[0].count < request { break }
    }
    if frames == 0 { throw .empty(name: name) }
    try self.init(
      channelCount: reader.channelCount, frameCount: frames, sampleRate: reader.sampleRate,
      name: name)
    var done = 0
    // What has been copied is freed, so that there is never all of it twice.
    for index in blocks.indices {
      let count = blocks[index][0].count
      for channel in 0..<channelCount { fill(channel, from: done, blocks[index][channel]) }
      done += count
      blocks[index] = []
    }
  }

  /// Takes memory without samples, which `fill` brings.
  init(
    channelCount: Int, frameCount: Int, sampleRate: Double, name: String
  ) throws(AudioClipError) {
    // Swift's own allocation would end the program.
    let bytes = channelCount * frameCount * MemoryLayout<Float>.size
    guard let memory = malloc(bytes)?.bindMemory(to: Float.self, capacity: bytes / 4) else {
      throw .outOfMemory(name: name, bytes: bytes)
    }
    self.memory = memory
    samples = UnsafePointer(memory)
    self.channelCount = channelCount
    self.frameCount = frameCount
    self.sampleRate = sampleRate
  }

  deinit { free(memory) }

  /// Brings samples of a channel, in a clip that nobody else knows yet.
  func fill(_ channel: Int, from frame: Int, _ values: some Collection<Float>) {
    var place = memory + channel * frameCount + frame
    for value in values {
      place.initialize(to: value.isFinite ? value : 0)
      place += 1
    }
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

/// Why there is no clip.
public enum AudioClipError: Error, Equatable, CustomStringConvertible {
  case audio(AudioFileError)
  /// Audio of no frames.
  case empty(name: String)
  /// Audio that would take more memory than it may.
  case tooLarge(name: String, maximumBytes: Int)
  /// Audio for which there is not enough memory.
  case outOfMemory(name: String, bytes: Int)
  /// A sample rate from which, or to which, nothing can be converted.
  case sampleRate(name: String, Double, reason: String)

  public var description: String {
    switch self {
    case .audio(let error): error.description
    case .empty(let name): "\(name) is empty"
    case .tooLarge(let name, let maximum):
      "\(name) is too long to be played: its samples take more than \(maximum >> 20) MB of memory"
    case .outOfMemory(let name, let bytes):
      "\(name): not enough memory for its samples: \(bytes >> 20) MB"
    case .sampleRate(let name, let rate, let reason):
      "\(name) cannot be converted from or to \(rate) Hz: \(reason)"
    }
  }
}
