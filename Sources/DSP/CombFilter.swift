// A comb filter of one channel: its state and its controls.

/// A sound and what came before it: H(z) = (1 + g z⁻ᴰ) / (1 − f L(z) z⁻ᴰ), with the delay D, the
/// feed-forward g, the feedback f, and in the loop L(z) = (1 − p) / (1 − p z⁻¹), the damping.
///
/// The delay may lie between two frames (see `DelayPoint`) and move (see `DelayTime`). Its memory
/// is that of the longest delay, allocated once. p is the damping at 48 kHz; at other rates it is
/// that of the same time constant. What is fed back and below −160 dB of full scale is silence, so
/// that it ends.
///
/// The output is a pure function of input, settings and frame: bit-identical however a stretch of
/// frames is divided into calls.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct CombFilter: ~Copyable {
  /// What is set.
  public struct Settings: Sendable, BitwiseCopyable {
    /// 0.05 to 500; no less than two frames.
    public var delayMilliseconds = 10.0
    /// Per cent, −99 to 99.
    public var feedback = 50.0
    /// Per cent, −100 to 100.
    public var feedforward = 0.0
    /// Per cent, 0 to 99.
    public var damping = 0.0
    /// Per cent: 0 is the input alone, 100 what the filter makes.
    public var mix = 100.0

    @_noLocks @_noAllocation
    public init() {}
  }

  public static var maximumDelayMilliseconds: Double { @_noLocks @_noAllocation get { 500 } }

  /// Frames per second.
  public let sampleRate: Double
  var loop: DelayLoop
  var feedforward: LinearRamp
  var damping: LinearRamp
  var mix: LinearRamp

  /// A silent filter; allocates all the memory that it will use.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, finite and above zero.
  ///   - settings: where it starts, each within its range.
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

  /// The time in which the sound falls by 100 dB once the input has ended, in seconds.
  /// - Thread: [any]
  public static func tailSeconds(_ settings: Settings, sampleRate: Double) -> Double {
    if settings.feedback == 0 {
      return settings.feedforward == 0 ? 0 : settings.delayMilliseconds / 1000
    }
    return DelayLoop.tailSeconds(
      milliseconds: settings.delayMilliseconds, feedback: settings.feedback,
      pole: pole(damping: settings.damping, sampleRate: sampleRate), sampleRate: sampleRate)
  }

  /// Moves the delay, in milliseconds: along a ramp of `frames`, or, with 0, across to it.
  @_noLocks @_noAllocation
  public mutating func moveDelay(toMilliseconds value: Double, overFrames frames: UInt32) {
    loop.delay.move(to: value, overFrames: frames)
  }

  /// Starts to move the feedback, in per cent; see `LinearRamp.start(to:overFrames:)`.
  @_noLocks @_noAllocation
  public mutating func rampFeedback(to value: Double, overFrames frames: UInt32) {
    loop.feedback.start(to: value, overFrames: frames)
  }

  /// Starts to move the feed-forward, in per cent.
  @_noLocks @_noAllocation
  public mutating func rampFeedforward(to value: Double, overFrames frames: UInt32) {
    feedforward.start(to: value, overFrames: frames)
  }

  /// Starts to move the damping, in per cent.
  @_noLocks @_noAllocation
  public mutating func rampDamping(to value: Double, overFrames frames: UInt32) {
    damping.start(to: value, overFrames: frames)
  }

  /// Starts to move the mix, in per cent.
  @_noLocks @_noAllocation
  public mutating func rampMix(to value: Double, overFrames frames: UInt32) {
    mix.start(to: value, overFrames: frames)
  }

  /// What a reader of the delay is to be told, in milliseconds; see `LinearRamp.takeReading()`.
  @_noLocks @_noAllocation
  public mutating func takeDelayReading() -> Double? { loop.delay.takeReading() }

  @_noLocks @_noAllocation
  public mutating func takeFeedbackReading() -> Double? { loop.feedback.takeReading() }

  @_noLocks @_noAllocation
  public mutating func takeFeedforwardReading() -> Double? { feedforward.takeReading() }

  @_noLocks @_noAllocation
  public mutating func takeDampingReading() -> Double? { damping.takeReading() }

  @_noLocks @_noAllocation
  public mutating func takeMixReading() -> Double? { mix.takeReading() }

  /// Whether it holds no sound: silence in gives silence out.
  public var isAtRest: Bool { @_noLocks @_noAllocation get { loop.isAtRest } }

  /// Lets the settings go on for frames that are not processed.
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

  /// Forgets what sounds; the settings and their ramps go on.
  /// - Complexity: O(1)
  @_noLocks @_noAllocation
  public mutating func reset() { loop.reset() }

  /// Whether a setting moves.
  var isMoving: Bool {
    @_noLocks @_noAllocation get {
      loop.isMoving || feedforward.isRamping || damping.isRamping || mix.isRamping
    }
  }

  /// p = d^(48 kHz / rate), d being the damping as a part of 1.
  @_noLocks @_noAllocation
  static func pole(damping: Double, sampleRate: Double) -> Float {
    // log2(e) turns the logarithm into one to the base 2.
    damping > 0
      ? Float(
        Vouched.powerOfTwo(
          Vouched.naturalLogarithm(damping / 100) * 1.442_695_040_888_963_4 * 48_000 / sampleRate))
      : 0
  }
}
