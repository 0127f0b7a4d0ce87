// What a probe sends to an instrument, and what came of it.

/// A MIDI message of three bytes and the frame at which to send it, counted from the probe's start.
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

/// What a probe has heard, and when it really sent.
public struct ProbeRecording: Sendable {
  /// In hertz.
  public let sampleRate: Int
  /// Frames of the last cycle.
  public let period: Int
  /// One channel from the probe's start on; NaN where the server has skipped a cycle.
  public let samples: [Float]
  /// For each message the frame at which it was sent, nil where it was not: the probe ended before,
  /// or the port had no room.
  public let sentFrames: [Int?]

  /// - Thread: [any]
  public init(sampleRate: Int, period: Int, samples: [Float], sentFrames: [Int?]) {
    self.sampleRate = sampleRate
    self.period = period
    self.samples = samples
    self.sentFrames = sentFrames
  }
}
