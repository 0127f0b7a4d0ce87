// The audio input file of a bounce.

import FoundationEssentials
import Graph
import MediaFiles
import SessionModel

extension AudioFileReader {
  /// Returns the length of its file. A header is only a claim: if it claims much or nothing, the
  /// file is decoded once.
  ///
  /// - Returns: frames, one more than `maximum` if there are more; nil if the file cannot be read
  ///   twice.
  func measure(
    _ url: URL, upTo maximum: Int, isCancelled: () -> Bool
  ) throws(AudioFileError) -> Int? {
    guard isRegular else { return nil }
    let usual = min(Int(BounceOptions.usualSeconds * sampleRate), maximum)
    if let frameCount, frameCount <= usual { return frameCount }
    let count = try AudioFileReader(contentsOf: url)
      .countFrames(upTo: maximum, isCancelled: isCancelled)
    return min(count, maximum + 1)
  }
}

/// The input file of a bounce, read period by period for each audio input port.
struct BounceInput {
  let url: URL
  private let reader: AudioFileReader
  /// The channel of its bus for each port.
  private var channels: [Int] = []
  /// Length of the file in frames; nil before its end is read.
  private(set) var frameCount: Int?
  private var position = 0

  var file: String { url.relativePath }
  var sampleRate: Double { reader.sampleRate }
  var channelCount: Int { reader.channelCount }

  init(_ url: URL) throws(BounceError) {
    self.url = url
    reader = try wrap(BounceError.audio) { () throws(AudioFileError) in
      try AudioFileReader(contentsOf: url, isStream: true)
    }
  }

  /// Connects the file's channels to a graph's ports.
  mutating func connect(to ports: GraphPorts, sampleRate wanted: Double) throws(BounceError) {
    guard sampleRate == wanted else {
      throw .inputRate(file: file, rate: sampleRate, wanted: wanted)
    }
    channels = ports.audioInputs.map { $0.channel?.channel ?? 0 }
    guard channelCount == 1 || channelCount >= usedChannels else {
      throw .inputChannels(file: file, channels: channelCount, wanted: usedChannels)
    }
  }

  /// The number of its channels that feed ports.
  var usedChannels: Int { (channels.max() ?? -1) + 1 }

  /// Returns the length of the file, for checks beforehand; reading continues to the end in any
  /// case. See `AudioFileReader.measure`.
  func measure(
    upTo maximum: Int, isCancelled: () -> Bool
  ) throws(BounceError) -> Int? {
    try wrap(BounceError.audio) { () throws(AudioFileError) in
      try reader.measure(url, upTo: maximum, isCancelled: isCancelled)
    }
  }

  /// Reads the next frames for each port. Mono feeds every channel; after the end there is silence.
  mutating func next(_ count: Int) throws(BounceError) -> [[Float]] {
    guard frameCount == nil else { return [] }
    let samples = try wrap(BounceError.audio) { () throws(AudioFileError) in
      try reader.read(maximumFrames: count)
    }
    let read = samples[0].count
    position += read
    if read < count { frameCount = position }
    return channels.map { samples.count == 1 ? samples[0] : samples[$0] }
  }
}
