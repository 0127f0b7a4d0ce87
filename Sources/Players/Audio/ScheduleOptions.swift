// Options and reports of scheduled sounds.

public import Realtime

/// Relation of a scheduled sound to those scheduled before it. Without options it plays once, after
/// all of them.
///
/// AUv3: `AVAudioPlayerNodeBufferOptions`, with its values.
public struct ScheduleOptions: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8

  /// - Thread: [any]
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Repeats until the player is stopped or another sound interrupts it.
  public static let loops = ScheduleOptions(rawValue: 1)
  /// Ends the playing sound at the frame at which this one begins. Drops sounds waiting before it.
  public static let interrupts = ScheduleOptions(rawValue: 2)
  /// Interrupts at the end of the playing sound, or of its current pass.
  public static let interruptsAtLoop = ScheduleOptions(rawValue: 4)
}

/// A time on the player's own timeline. It begins with 0 when the player is started after a stop,
/// and halts while the player is paused.
///
/// AUv3: an `AVAudioTime` with a sample time, for a player.
public struct PlayerTime: Hashable, Sendable {
  /// Count of frames at `sampleRate`.
  public var sampleTime: Int
  /// Sample rate, in hertz.
  public var sampleRate: Double

  /// - Thread: [any]
  public init(sampleTime: Int, sampleRate: Double) {
    self.sampleTime = sampleTime
    self.sampleRate = sampleRate
  }

  /// A time in seconds, rounded to microseconds and limited to ±1e12 s; NaN is 0.
  ///
  /// - Thread: [any]
  public static func seconds(_ seconds: Double) -> PlayerTime {
    let held = seconds.isNaN ? 0 : max(-1e12, min(seconds, 1e12))
    return PlayerTime(sampleTime: Int((held * 1e6).rounded()), sampleRate: 1e6)
  }

  /// The nearest frame at a session's sample rate.
  func frame(at rate: Double) -> Int {
    let frame = (Double(sampleTime) * rate / sampleRate).rounded()
    return frame.isNaN ? 0 : Int(max(-1e15, min(frame, 1e15)))
  }
}

/// Stages of a scheduled sound's playback.
///
/// AUv3: `AVAudioPlayerNodeCompletionCallbackType`, with `looped` added.
public struct PlaybackStages: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8

  /// - Thread: [any]
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The player no longer needs its samples.
  public static let consumed = PlaybackStages(rawValue: 1)
  /// The last frame has left the player.
  public static let rendered = PlaybackStages(rawValue: 2)
  /// The last frame has been heard, after the latency downstream of the player.
  public static let heard = PlaybackStages(rawValue: 4)
  /// A pass of a loop has left the player; reported for each pass.
  public static let looped = PlaybackStages(rawValue: 8)
}

/// A report on a scheduled sound.
public struct PlaybackReport: Sendable, Hashable {
  /// The reported stage.
  public var stage: PlaybackStages
  /// Frame time after the last played frame; for `heard`, the time at which it was heard. nil if
  /// nothing was played, or a loop's frame is unknown.
  public var frame: FrameTime?
  /// Count of complete passes.
  public var passes: Int
  /// Whether it played to its end; false if it was interrupted, stopped or never started.
  public var isWhole: Bool

  /// - Thread: [any]
  public init(stage: PlaybackStages, frame: FrameTime?, passes: Int, isWhole: Bool) {
    self.stage = stage
    self.frame = frame
    self.passes = passes
    self.isWhole = isWhole
  }
}

/// Receives the reports on a scheduled sound, in order: one for each stage, for `looped` one a
/// pass. Called on the players' thread, or on the thread that releases the player.
public typealias PlaybackHandler = @Sendable (PlaybackReport) -> Void
