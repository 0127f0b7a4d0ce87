// The audio file that a bounce feeds to its inputs.

import Foundation
import Graph
import MediaFiles

/// Reads the input file of a bounce, period by period, for each audio input port.
struct BounceInput {
  private let reader: AudioFileReader?
  /// For each port, the channel of its bus.
  private let channels: [Int]
  let frameCount: Int

  init(_ options: BounceOptions, ports: GraphPorts) throws(BounceError) {
    channels = ports.audioInputs.map { $0.channel?.channel ?? 0 }
    guard let url = options.input else {
      reader = nil
      frameCount = 0
      return
    }
    let reader = try wrap(BounceError.audio) { () throws(AudioFileError) in
      try AudioFileReader(contentsOf: url)
    }
    guard reader.sampleRate == options.sampleRate else {
      throw .inputRate(
        file: url.relativePath, rate: reader.sampleRate, wanted: options.sampleRate)
    }
    let wanted = (channels.max() ?? 0) + 1
    guard reader.channelCount == 1 || reader.channelCount >= wanted else {
      throw .inputChannels(
        file: url.relativePath, channels: reader.channelCount, wanted: wanted)
    }
    self.reader = reader
    frameCount = reader.frameCount
  }

  /// The next frames for each port; mono goes to every channel, after the end there is silence.
  func next(_ count: Int) throws(BounceError) -> [[Float]] {
    guard let reader else { return [] }
    let samples = try wrap(BounceError.audio) { () throws(AudioFileError) in
      try reader.read(maximumFrames: count)
    }
    return channels.map { samples.count == 1 ? samples[0] : samples[$0] }
  }
}
