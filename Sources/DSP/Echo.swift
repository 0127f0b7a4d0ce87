// An echo of one channel: its state and its controls.

/// A delay whose echoes repeat, each through the loop's low-pass: the wet sound is
/// L(z) z⁻ᴰ / (1 − f L(z) z⁻ᴰ), with the delay D, the feedback f and the one-pole low-pass L.
///
/// D may lie between two frames (see `DelayPoint`) and move (see `DelayTime`). L is 3 dB down
/// at the cut-off. At ±100 % echoes never end; what goes into the line is held to ±8,
/// 18 dB above full scale.
///
/// The output is a pure function of input, settings and frame: bit-identical however a stretch of
/// frames is divided into calls.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct Echo: ~Copyable {
  /// What is set.
  public struct Settings: Sendable, BitwiseCopyable {
    /// 0 to 2; no less than two frames.
    public var delaySeconds = 0.5
    /// Per cent, −100 to 100.
    public var feedback = 50.0
    /// 10 to 20 000.
    public var cutoffHertz = 15_000.0
    /// Per cent: 0 is the input alone, 100 the echoes alone.
    public var mix = 50.0

    @_noLocks @_noAllocation
    public init() {}
  }

  public static var maximumDelaySeconds: Double { @_noLocks @_noAllocation get { 2 } }

  /// Frames per second.
  public let sampleRate: Double
  var loop: DelayLoop
  var cutoff: LinearRamp
  var mix: LinearRamp

  /// A silent echo; allocates all the memory that it will use.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, finite and above zero.
  ///   - settings: where it starts, each within its range.
  public init(sampleRate: Double, settings: Settings = Settings()) {
    precondition(sampleRate > 0 && sampleRate.isFinite)
    self.sampleRate = sampleRate
    loop = DelayLoop(
      milliseconds: settings.delaySeconds * 1000,
      maximumMilliseconds: Self.maximumDelaySeconds * 1000, feedback: settings.feedback,
      pole: Self.pole(cutoffHertz: settings.cutoffHertz, sampleRate: sampleRate), limit: 8,
      sampleRate: sampleRate)
    cutoff = LinearRamp(value: settings.cutoffHertz, sampleRate: sampleRate)
    mix = LinearRamp(value: settings.mix, sampleRate: sampleRate)
  }

  /// The time in which the echoes fall by 100 dB, in seconds; infinity at ±100 %.
  /// - Thread: [any]
  public static func tailSeconds(_ settings: Settings, sampleRate: Double) -> Double {
    DelayLoop.tailSeconds(
      milliseconds: settings.delaySeconds * 1000, feedback: settings.feedback,
      pole: pole(cutoffHertz: settings.cutoffHertz, sampleRate: sampleRate),
      sampleRate: sampleRate)
  }

  /// Moves the delay, in seconds: along a ramp of `frames`, or, with 0, across to it.
  @_noLocks @_noAllocation
  public mutating func moveDelay(toSeconds value: Double, overFrames frames: UInt32) {
    loop.delay.move(to: value * 1000, overFrames: frames)
  }

  /// Starts to move the feedback, in per cent; see `LinearRamp.start(to:overFrames:)`.
  @_noLocks @_noAllocation
  public mutating func rampFeedback(to value: Double, overFrames frames: UInt32) {
    loop.feedback.start(to: value, overFrames: frames)
  }

  /// Starts to move the low-pass's cut-off, in hertz.
  @_noLocks @_noAllocation
  public mutating func rampCutoff(toHertz value: Double, overFrames frames: UInt32) {
    cutoff.start(to: value, overFrames: frames)
  }

  /// Starts to move the mix, in per cent.
  @_noLocks @_noAllocation
  public mutating func rampMix(to value: Double, overFrames frames: UInt32) {
    mix.start(to: value, overFrames: frames)
  }

  /// What a reader of the delay is to be told, in seconds; see `LinearRamp.takeReading()`.
  @_noLocks @_noAllocation
  public mutating func takeDelayReading() -> Double? {
    guard let milliseconds = loop.delay.takeReading() else { return nil }
    return milliseconds / 1000
  }

  @_noLocks @_noAllocation
  public mutating func takeFeedbackReading() -> Double? { loop.feedback.takeReading() }

  @_noLocks @_noAllocation
  public mutating func takeCutoffReading() -> Double? { cutoff.takeReading() }

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
    cutoff.advance(by: frames)
    mix.advance(by: frames)
    loop.pole = Self.pole(cutoffHertz: cutoff.value, sampleRate: sampleRate)
  }

  /// Forgets what sounds; the settings and their ramps go on.
  /// - Complexity: O(1)
  @_noLocks @_noAllocation
  public mutating func reset() { loop.reset() }

  /// Makes `frameCount` frames.
  ///
  /// - Parameters:
  ///   - input: one channel.
  ///   - output: where it goes; may be `input`.
  /// - Complexity: O(frames)
  @_noLocks @_noAllocation
  public mutating func process(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    var frame = 0
    while frame < frameCount && isMoving {
      mix.advance(by: 1)
      if cutoff.isRamping {
        cutoff.advance(by: 1)
        loop.pole = Self.pole(cutoffHertz: cutoff.value, sampleRate: sampleRate)
      }
      let sample = input[frame]
      let made = loop.next(sample)
      let wet = Float(mix.value / 100)
      // A zero of either sign becomes one without: silence has the same bits however it was made.
      output[frame] = sample * (1 - wet) + made.low * wet + 0
      frame &+= 1
    }
    if frame == frameCount { return }
    let point = loop.delay.point()
    let wet = Float(mix.value / 100)
    let dry = 1 - wet
    while frame < frameCount {
      let count = loop.blockLength(point, frameCount: frameCount &- frame)
      let (source, target) = (input + frame, output + frame)
      let low = loop.next(source, point, count: count).low
      var index = 0
      while index < count {
        target[index] = source[index] * dry + low[index] * wet + 0
        index &+= 1
      }
      frame &+= count
    }
  }

  /// Whether a setting moves.
  var isMoving: Bool {
    @_noLocks @_noAllocation get { loop.isMoving || cutoff.isRamping || mix.isRamping }
  }

  @_noLocks @_noAllocation
  static func pole(cutoffHertz: Double, sampleRate: Double) -> Float {
    Float(OnePole.pole(cutoffHertz: cutoffHertz, sampleRate: sampleRate))
  }
}
