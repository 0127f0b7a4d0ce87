// What a test client plays, and what it recorded.

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

/// Something asked of JACK's transport in the cycle that has a frame of a take; it answers in a
/// later one.
public struct TransportCommand: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case stop
    case start
    /// Goes to a frame of the transport.
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
  /// The transport's own frame there.
  public var position: Int
  public var isRolling: Bool
  /// What the timebase master states of it, in beats from 0; nil if it states none.
  public var beat: Double?
  /// In beats a minute.
  public var tempo: Double
}

/// What a test client plays during a take.
public struct JackScript: Sendable {
  /// For each audio output in turn, its samples from frame 0; silence follows.
  public var audio: [[Float]]
  /// MIDI messages; those of one frame are sent in this order.
  public var midi: [TimedMIDI]
  /// What is asked of JACK's transport.
  public var transport: [TransportCommand]

  public init(
    audio: [[Float]] = [], midi: [TimedMIDI] = [], transport: [TransportCommand] = []
  ) {
    self.audio = audio
    self.midi = midi
    self.transport = transport
  }
}

/// What a test client received during a take, and what went wrong.
public struct JackTake: Sendable {
  /// For each audio input, one sample a frame.
  public var audio: [[Float]]
  /// MIDI in order of arrival.
  public var midi: [TimedMIDI]
  /// The transport, cycle by cycle.
  public var transport: [TransportCycle]
  /// The JACK frame of frame 0, the same for all clients of a take.
  public var firstFrame: UInt32
  /// How far into a cycle frame 0 is: 0, unless the period was changed just before it.
  public var startsInCycle: Int
  /// Frames that JACK skipped, or all that were not processed for any other reason.
  public var missedFrames: Int
  /// How often JACK skipped frames; those are silent in `audio`.
  public var frameJumps: Int
  /// Sent MIDI whose frame was skipped, so that it went out later.
  public var lateEvents: Int
  /// Sent MIDI that did not fit JACK's port buffer.
  public var refusedEvents: Int
  /// Received MIDI that did not fit the client's recording.
  public var lostEvents: Int
  /// Xruns that JACK reported during the take.
  public var xruns: Int

  /// The first frame after another one that sounds otherwise than that. Frames that JACK skipped
  /// are silent, and no change.
  public func firstChange(after frame: Int, input: Int, by tolerance: Float) -> Int? {
    let samples = audio[input]
    return samples.indices.dropFirst(frame + 1).first {
      samples[$0] != 0 && abs(samples[$0] / samples[frame] - 1) > tolerance
    }
  }

  /// Whether every frame was processed and every event sent and kept: only then is an exact
  /// comparison fair.
  public var isComplete: Bool {
    missedFrames == 0 && frameJumps == 0 && lateEvents == 0
      && refusedEvents == 0 && lostEvents == 0
  }
}
