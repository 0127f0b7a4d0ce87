// An echo of one channel: its state and its controls.

public import Realtime

/// A delay with repeating echoes, each through the loop's low-pass. The wet signal is
/// L(z) z⁻ᴰ / (1 − f L(z) z⁻ᴰ), with the delay D, the feedback f and the one-pole low-pass L.
///
/// D can lie between two frames (see `DelayPoint`) and ramp (see `DelayTime`). L is 3 dB down at
/// the cut-off. At ±100 % echoes never end; the line's input is limited to ±8, 18 dB above full
/// scale.
///
/// The output is a pure function of input, settings and frame: bit-identical however a stretch of
/// frames is divided into calls.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct Echo: ~Copyable {
  /// The settings of an echo.
  public struct Settings: Sendable, BitwiseCopyable {
    /// The delay, 0 to 2; at least two frames.
    public var delaySeconds = 0.5
    /// The feedback in per cent, −100 to 100.
    public var feedback = 50.0
    /// The low-pass's cut-off, 10 to 20 000.
    public var cutoffHertz = 15_000.0
    /// The mix in per cent: 0 is the input only, 100 the echoes only.
    public var mix = 50.0

    @_noLocks @_noAllocation
    public init() {}
  }

  public static var maximumDelaySeconds: Double { @_noLocks @_noAllocation get { 2 } }

  /// Frames per second.
  public let sampleRate: Double
  var loop: DelayLoop
  /// The low-pass's cut-off in hertz.
  public var cutoff: LinearRamp
  /// The mix in per cent.
  public var mix: LinearRamp

  /// Creates a silent echo, and allocates all its memory.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, finite and above zero.
  ///   - settings: the initial settings, each within its range.
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

  /// Returns the time in which the echoes decay by 100 dB, in seconds; infinity at ±100 %.
  /// - Thread: [any]
  public static func tailSeconds(_ settings: Settings, sampleRate: Double) -> Double {
    DelayLoop.tailSeconds(
      milliseconds: settings.delaySeconds * 1000, feedback: settings.feedback,
      pole: pole(cutoffHertz: settings.cutoffHertz, sampleRate: sampleRate),
      sampleRate: sampleRate)
  }

  /// Moves the delay, in seconds: by a glide over the frames of the ramp, or, if 0, by a crossfade.
  @_noLocks @_noAllocation
  public mutating func delay(_ request: ParameterRequest) -> Double? {
    guard let milliseconds = loop.delay.answer(request.scaled(by: 1000)) else { return nil }
    return milliseconds / 1000
  }

  /// Ramps the feedback, in per cent.
  @_noLocks @_noAllocation
  public mutating func feedback(_ request: ParameterRequest) -> Double? {
    loop.feedback.answer(request)
  }

  /// Whether the echo holds no sound: silent input then gives silence.
  public var isAtRest: Bool { @_noLocks @_noAllocation get { loop.isAtRest } }

  /// Advances the settings over frames that are not processed.
  @_noLocks @_noAllocation
  public mutating func skip(_ frameCount: Int) {
    if !isMoving { return }
    let frames = UInt32(clamping: frameCount)
    loop.skip(frames)
    cutoff.advance(by: frames)
    mix.advance(by: frames)
    loop.pole = Self.pole(cutoffHertz: cutoff.value, sampleRate: sampleRate)
  }

  /// Clears the audio state; settings and their ramps continue.
  /// - Complexity: O(1)
  @_noLocks @_noAllocation
  public mutating func reset() { loop.reset() }

  /// Renders `frameCount` frames.
  ///
  /// - Parameters:
  ///   - input: one channel.
  ///   - output: memory for the output; may be `input`.
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
      // Adding 0 makes −0 positive: silence always has the same bits.
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

  /// Whether a setting is changing.
  var isMoving: Bool {
    @_noLocks @_noAllocation get { loop.isMoving || cutoff.isRamping || mix.isRamping }
  }

  @_noLocks @_noAllocation
  static func pole(cutoffHertz: Double, sampleRate: Double) -> Float {
    Float(OnePole.pole(cutoffHertz: cutoffHertz, sampleRate: sampleRate))
  }
}
