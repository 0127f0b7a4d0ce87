// The formats of files and clips, as busses have them.

public import MediaFiles
public import UnitModel

extension AudioFileReader {
  /// The format in which its frames are read, for a connection.
  ///
  /// - Throws: `BusError` for a rate or a channel count that no bus has.
  ///
  /// AUv3: `AVAudioFile.processingFormat`.
  /// - Thread: [control]
  public var processingFormat: AudioFormat {
    get throws(BusError) {
      try AudioFormat(sampleRate: sampleRate, channelCount: channelCount)
    }
  }
}

extension AudioClip {
  /// The format of its frames, for a connection.
  ///
  /// - Throws: `BusError` for a rate or a channel count that no bus has.
  ///
  /// AUv3: `AVAudioPCMBuffer.format`.
  /// - Thread: [any]
  public var format: AudioFormat {
    get throws(BusError) {
      try AudioFormat(sampleRate: sampleRate, channelCount: channelCount)
    }
  }
}
