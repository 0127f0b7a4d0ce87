// A comb filter of one channel: its state and its controls.

public import Realtime

/// A feed-forward and feedback comb: H(z) = (1 + g z⁻ᴰ) / (1 − f L(z) z⁻ᴰ), with the delay D, the
/// feed-forward g, the feedback f, and in the loop L(z) = (1 − p) / (1 − p z⁻¹), the damping.
///
/// The delay can lie between two frames (see `DelayPoint`) and ramp (see `DelayTime`). Its memory
/// is that of the longest delay, allocated once. p is the damping at 48 kHz; at other rates it has
/// the same time constant. Feedback below −160 dB of full scale counts as silence, so that the tail
/// ends.
///
/// The output is a pure function of input, settings and frame: bit-identical however a stretch of
/// frames is divided into calls.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct CombFilter: ~Copyable {
  /// The settings of a comb filter.
  public struct Settings: Sendable, BitwiseCopyable {
    /// The delay, 0.05 to 500; at least two frames.
    public var delayMilliseconds = 10.0
    /// The feedback in per cent, −99 to 99.
    public var feedback = 50.0
    /// The feed-forward in per cent, −100 to 100.
    public var feedforward = 0.0
    /// The damping in per cent, 0 to 99.
    public var damping = 0.0
    /// The mix in per cent: 0 is the input only, 100 the filter's output only.
    public var mix = 100.0

    @_noLocks @_noAllocation
    public init() {}
  }

  public static var maximumDelayMilliseconds: Double { @_noLocks @_noAllocation get { 500 } }

  /// Frames per second.
  public let sampleRate: Double
  var loop: DelayLoop
  /// The feed-forward in per cent.
  public var feedforward: LinearRamp
  /// The damping in per cent.
  public var damping: LinearRamp
  /// The mix in per cent.
  public var mix: LinearRamp

  /// Creates a silent filter, and allocates all its memory.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, finite and above zero.
  ///   - settings: the initial settings, each within its range.
  public init(sampleRate: Double, settings: Settings = Settings()) {
    precondition(sampleRate > 0 && sampleRate.isFinite)
    self.sampleRate = sampleRate
    loop = DelayLoop(
      milliseconds: settings.delayMilliseconds,
      maximumMilliseconds: Self.maximumDelayMilliseconds, feedback: settings.feedback,
      pole: Self.pole(damping: settings.damping, sampleRate: sampleRate), limit: .infinity,
      sampleRate: sampleRate)
    feedforward = LinearRamp(value: settings.feedforward, sampleRate: sampleRate)
    damping = LinearRamp(value: settings.damping, sampleRate: sampleRate)
    mix = LinearRamp(value: settings.mix, sampleRate: sampleRate)
  }

  /// Returns the time in which the sound decays by 100 dB once the input has ended, in seconds.
  /// - Thread: [any]
  public static func tailSeconds(_ settings: Settings, sampleRate: Double) -> Double {
    if settings.feedback == 0 {
      return settings.feedforward == 0 ? 0 : settings.delayMilliseconds / 1000
    }
    return DelayLoop.tailSeconds(
      milliseconds: settings.delayMilliseconds, feedback: settings.feedback,
      pole: pole(damping: settings.damping, sampleRate: sampleRate), sampleRate: sampleRate)
  }

  /// Moves the delay, in milliseconds: by a glide over the frames of the ramp, or, if 0, by a
  /// crossfade.
  @_noLocks @_noAllocation
  public mutating func delay(_ request: ParameterRequest) -> Double? { loop.delay.answer(request) }

  /// Ramps the feedback, in per cent.
  @_noLocks @_noAllocation
  public mutating func feedback(_ request: ParameterRequest) -> Double? {
    loop.feedback.answer(request)
  }

  /// Whether the filter holds no sound: silent input then gives silence.
  public var isAtRest: Bool { @_noLocks @_noAllocation get { loop.isAtRest } }

  /// Advances the settings over frames that are not processed.
  @_noLocks @_noAllocation
  public mutating func skip(_ frameCount: Int) {
    if !isMoving { return }
    let frames = UInt32(clamping: frameCount)
    loop.skip(frames)
    feedforward.advance(by: frames)
    damping.advance(by: frames)
    mix.advance(by: frames)
    loop.pole = Self.pole(damping: damping.value, sampleRate: sampleRate)
  }

  /// Clears the audio state; settings and their ramps continue.
  /// - Complexity: O(1)
  @_noLocks @_noAllocation
  public mutating func reset() { loop.reset() }

  /// Whether a setting is ramping.
  var isMoving: Bool {
    @_noLocks @_noAllocation get {
      loop.isMoving || feedforward.isRamping || damping.isRamping || mix.isRamping
    }
  }

  /// Returns p = d^(48 kHz / rate), d being the damping as a part of 1.
  @_noLocks @_noAllocation
  static func pole(damping: Double, sampleRate: Double) -> Float {
    // log2(e) converts the natural logarithm to base 2.
    damping > 0
      ? Float(
        RealtimeMath.powerOfTwo(
          RealtimeMath.naturalLogarithm(damping / 100) * 1.442_695_040_888_963_4 * 48_000
            / sampleRate))
      : 0
  }
}
