// Scripts and recordings of test clients.

/// A MIDI message at a frame of a take.
public struct TimedMIDI: Sendable, Hashable, CustomStringConvertible {
  /// Frames from the take's first one.
  public var frame: Int
  /// The complete message.
  public var bytes: [UInt8]
  /// The MIDI port, from 0.
  public var port: Int

  public init(frame: Int, bytes: [UInt8], port: Int = 0) {
    self.frame = frame
    self.bytes = bytes
    self.port = port
  }

  public var description: String {
    let digits = bytes.prefix(16).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return "\(frame)/\(port): \(digits.joined(separator: " "))"
  }
}

/// A request to JACK's transport in the cycle that contains a frame of a take; the transport
/// responds in a later cycle.
public struct TransportCommand: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case stop
    case start
    /// Moves to a frame of the transport.
    case locate(Int)
  }

  /// Frames from the take's first one.
  public var frame: Int
  public var kind: Kind

  public init(frame: Int, _ kind: Kind) {
    self.frame = frame
    self.kind = kind
  }
}

/// JACK's transport in one cycle.
public struct TransportCycle: Sendable, Hashable {
  /// The cycle's first frame, from the take's first one.
  public var frame: Int
  /// The transport's frame at `frame`.
  public var position: Int
  public var isRolling: Bool
  /// The timebase master's position, in beats from 0; nil if it states none.
  public var beat: Double?
  /// In beats a minute.
  public var tempo: Double
}

/// The signals and requests that a test client sends during a take.
public struct JackScript: Sendable {
  /// Samples of each audio output from frame 0; silence follows.
  public var audio: [[Float]]
  /// MIDI messages; those on one frame are sent in this order.
  public var midi: [TimedMIDI]
  /// Requests to JACK's transport.
  public var transport: [TransportCommand]

  public init(
    audio: [[Float]] = [], midi: [TimedMIDI] = [], transport: [TransportCommand] = []
  ) {
    self.audio = audio
    self.midi = midi
    self.transport = transport
  }
}

/// Signals that a test client received during a take, and counts of failures.
public struct JackTake: Sendable {
  /// Samples of each audio input, one a frame.
  public var audio: [[Float]]
  /// MIDI in order of arrival.
  public var midi: [TimedMIDI]
  /// The transport, cycle by cycle.
  public var transport: [TransportCycle]
  /// The JACK frame of frame 0, the same for all clients of a take.
  public var firstFrame: UInt32
  /// Offset of frame 0 in its cycle: 0, unless the period was changed just before it.
  public var startsInCycle: Int
  /// Frames not processed, because JACK skipped them or for any other reason.
  public var missedFrames: Int
  /// Number of times that JACK skipped frames; skipped frames are silent in `audio`.
  public var frameJumps: Int
  /// MIDI messages sent late, because JACK skipped their frame.
  public var lateEvents: Int
  /// MIDI messages that did not fit JACK's port buffer on sending.
  public var refusedEvents: Int
  /// Received MIDI messages that did not fit the client's recording.
  public var lostEvents: Int
  /// Xruns that JACK reported during the take.
  public var xruns: Int

  /// The first frame after `frame` with a sample unlike that at `frame`, by more than the relative
  /// `tolerance`. Frames that JACK skipped are silent and do not count.
  public func firstChange(after frame: Int, input: Int, by tolerance: Float) -> Int? {
    let samples = audio[input]
    return samples.indices.dropFirst(frame + 1).first {
      samples[$0] != 0 && abs(samples[$0] / samples[frame] - 1) > tolerance
    }
  }

  /// Whether every frame was processed and every event sent and kept. Only then is an exact
  /// comparison fair.
  public var isComplete: Bool {
    missedFrames == 0 && frameJumps == 0 && lateEvents == 0
      && refusedEvents == 0 && lostEvents == 0
  }
}
