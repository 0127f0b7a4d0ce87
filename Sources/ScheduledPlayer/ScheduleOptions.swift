// What scheduling does with what is scheduled already, and what it tells.

public import Realtime

/// How something that is scheduled stands to what was scheduled before it. Without options it is
/// played once, after all of that.
///
/// AUv3: `AVAudioPlayerNodeBufferOptions`, with its values.
public struct ScheduleOptions: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8

  /// - Thread: [any]
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Played over and over, until the player is stopped or something interrupts it.
  public static let loops = ScheduleOptions(rawValue: 1)
  /// Ends what is playing on the frame on which it begins, and drops what waits before it.
  public static let interrupts = ScheduleOptions(rawValue: 2)
  /// The same, once what is playing has come to its end, or to the end of its loop.
  public static let interruptsAtLoop = ScheduleOptions(rawValue: 4)
}

/// When something that is scheduled is played, on the player's own timeline: it begins with 0 when
/// the player is started after a stop, and stands while it is paused.
///
/// AUv3: an `AVAudioTime` with a sample time, for a player.
public struct PlayerTime: Hashable, Sendable {
  /// Frames at `sampleRate`.
  public var sampleTime: Int
  /// In hertz.
  public var sampleRate: Double

  /// - Thread: [any]
  public init(sampleTime: Int, sampleRate: Double) {
    self.sampleTime = sampleTime
    self.sampleRate = sampleRate
  }

  /// To the microsecond, at most 1e12 seconds either way; NaN is 0.
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

/// What becomes of something that was scheduled.
///
/// AUv3: `AVAudioPlayerNodeCompletionCallbackType`, with `looped` beside.
public struct PlaybackStages: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8

  /// - Thread: [any]
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The player needs its samples no more.
  public static let consumed = PlaybackStages(rawValue: 1)
  /// Its last frame has left the player.
  public static let rendered = PlaybackStages(rawValue: 2)
  /// Its last frame has been heard: it has passed all that is behind the player.
  public static let heard = PlaybackStages(rawValue: 4)
  /// A pass of a loop has left the player; told once for each of them.
  public static let looped = PlaybackStages(rawValue: 8)
}

/// Something that has become of what was scheduled.
public struct PlaybackReport: Sendable, Hashable {
  /// One of them.
  public var stage: PlaybackStages
  /// The frame time of the frame behind the last one that was played; for `heard` that at which it
  /// was heard. Nil where nothing of it was played.
  public var frame: FrameTime?
  /// Passes that have been played whole.
  public var passes: Int
  /// Whether it came to its end: false where it was interrupted, stopped or never begun.
  public var isWhole: Bool

  /// - Thread: [any]
  public init(stage: PlaybackStages, frame: FrameTime?, passes: Int, isWhole: Bool) {
    self.stage = stage
    self.frame = frame
    self.passes = passes
    self.isWhole = isWhole
  }
}

/// Told what becomes of something that was scheduled: on a thread of the players' own, in order,
/// exactly once for each stage.
public typealias PlaybackHandler = @Sendable (PlaybackReport) -> Void
