// Messages for an instrument, and the recording of its output.

/// A MIDI message of three bytes, and the frame at which to send it, counted from the probe's
/// start.
public struct ProbeMessage: Sendable, Equatable {
  public let frame: Int
  public let status: UInt8
  public let data1: UInt8
  public let data2: UInt8

  /// - Thread: [any]
  public init(frame: Int, _ status: UInt8, _ data1: UInt8, _ data2: UInt8) {
    self.frame = frame
    self.status = status
    self.data1 = data1
    self.data2 = data2
  }
}

/// The recorded audio and the frames at which messages were sent.
public struct ProbeRecording: Sendable {
  /// The sample rate in hertz.
  public let sampleRate: Int
  /// Frames of the last cycle.
  public let period: Int
  /// One channel from the probe's start on; NaN where the server skipped a cycle.
  public let samples: [Float]
  /// The frame at which each message was sent; nil if the probe ended before it, or the port had no
  /// room.
  public let sentFrames: [Int?]

  /// - Thread: [any]
  public init(sampleRate: Int, period: Int, samples: [Float], sentFrames: [Int?]) {
    self.sampleRate = sampleRate
    self.period = period
    self.samples = samples
    self.sentFrames = sentFrames
  }
}
