// A distortion of one channel: its state and its controls.

import Realtime

/// A curve at eight times the sample rate, with a gain before and after it, mixed with the equally
/// delayed input.
///
/// The curve's harmonics above half the sample rate would alias into unrelated tones. Linear-phase
/// filters remove them first; harmonics beyond eight times the rate are damped as in
/// `DistortionShape`. At 48 kHz, next to a full-scale tone of up to 5 kHz, alias tones of up to 20
/// kHz are below −90 dB at 12 dB of drive, and below −70 dB at 30 dB. Towards half the sample rate
/// they rise, to −11 dB.
///
/// A high-pass at 5 Hz after the curve removes offsets. All settings but the curve ramp; a changed
/// curve crossfades within 20 ms. Ringing counts as silence once it has decayed by 180 dB.
///
/// The output is a pure function of input, settings and frame: bit-identical however a stretch of
/// frames is divided into calls.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct Distortion: ~Copyable {
  /// The settings of a distortion.
  public struct Settings: Sendable, BitwiseCopyable {
    public var shape = DistortionShape.soft
    /// The gain before the curve, in decibels.
    public var driveDecibels = 12.0
    /// The gain after the curve, in decibels.
    public var gainDecibels = 0.0
    /// The mix in per cent: 0 is the input only, 100 the curve only.
    public var mix = 100.0

    @_noLocks @_noAllocation
    public init() {}
  }

  /// The latency in frames.
  public static var latencyFrames: Int { @_noLocks @_noAllocation get { 56 } }

  /// Frames per second.
  public let sampleRate: Double
  var shape: DistortionShape
  /// The shape to crossfade to once the running crossfade has ended.
  var wantedShape: DistortionShape
  var formerShape: DistortionShape
  /// The crossfade from the former shape, 0, to this one, 1.
  var crossing: LinearRamp
  /// The gain before the curve, in decibels.
  public var drive: LinearRamp
  /// The gain after the curve, in decibels.
  public var gain: LinearRamp
  /// The mix in per cent.
  public var mix: LinearRamp
  /// Drive and gain as factors.
  var driveFactor: Float
  var gainFactor: Double

  /// The filters to twice, four and eight times the rate.
  var first: HalfBand
  var second: HalfBand
  var third: HalfBand
  let memory: Memory
  /// The last samples before and after the curve.
  var lastInput = 0.0
  var lastShaped = 0.0
  /// The pole of the high-pass.
  let pole: Double
  var lastWet = 0.0
  var lastPassed = 0.0
  /// Frames of silent input so far, and the number after which the state is cleared.
  var quietFrames = 0
  let decayFrames: Int
  var isSilent = true

  /// The most frames of a block.
  static var blockFrames: Int { @_noLocks @_noAllocation get { 64 } }
  static var oversampling: Int { @_noLocks @_noAllocation get { 8 } }
  /// Samples at eight times the rate that pad the total delay to whole frames:
  /// 8 · 47 + 4 · 11 + 2 · 11 for the filters and 1 for the curve are 443.
  static var paddingSamples: Int { @_noLocks @_noAllocation get { 5 } }

  /// Memory for a block.
  struct Memory: BitwiseCopyable {
    /// The input of the last `latencyFrames` frames, then that of a block.
    let dry: UnsafeMutablePointer<Float>
    /// Samples at the sample rate, before the filters and after them.
    let amplified: UnsafeMutablePointer<Float>
    let low: UnsafeMutablePointer<Float>
    let middle: UnsafeMutablePointer<Float>
    let high: UnsafeMutablePointer<Float>
    let curveInput: UnsafeMutablePointer<Double>
    let integrals: UnsafeMutablePointer<Double>
    let shaped: UnsafeMutablePointer<Double>
    let former: UnsafeMutablePointer<Double>
    /// The curve's output, after `paddingSamples` earlier samples.
    let padded: UnsafeMutablePointer<Float>
  }

  /// Creates a silent distortion, and allocates all its memory.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, finite and above zero.
  ///   - settings: the initial settings.
  public init(sampleRate: Double, settings: Settings = Settings()) {
    precondition(sampleRate > 0 && sampleRate.isFinite)
    self.sampleRate = sampleRate
    shape = settings.shape
    wantedShape = settings.shape
    formerShape = settings.shape
    crossing = LinearRamp(value: 1, sampleRate: sampleRate)
    drive = LinearRamp(value: settings.driveDecibels, sampleRate: sampleRate)
    gain = LinearRamp(value: settings.gainDecibels, sampleRate: sampleRate)
    mix = LinearRamp(value: settings.mix, sampleRate: sampleRate)
    driveFactor = Float(BandShape.gain(decibels: settings.driveDecibels))
    gainFactor = BandShape.gain(decibels: settings.gainDecibels)
    let frames = Self.blockFrames
    first = HalfBand(half: 24, maximumFrames: frames)
    second = HalfBand(half: 6, maximumFrames: 2 * frames)
    third = HalfBand(half: 6, maximumFrames: 4 * frames)
    let high = Self.oversampling * frames
    func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    func doubles(_ count: Int) -> UnsafeMutablePointer<Double> {
      let memory = UnsafeMutablePointer<Double>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    memory = Memory(
      dry: floats(Self.latencyFrames + frames), amplified: floats(frames),
      low: floats(2 * frames), middle: floats(4 * frames), high: floats(high),
      curveInput: doubles(high + 1), integrals: doubles(high + 1), shaped: doubles(high),
      former: doubles(high), padded: floats(Self.paddingSamples + high))
    let radians = 2 * Double.pi * 5 / sampleRate
    pole = RealtimeMath.exponential(-radians)
    // The time of a decay by 180 dB in the high-pass, after the filters.
    decayFrames = 2 * Self.latencyFrames + frames + Int(20.7 / radians)
  }

  deinit {
    memory.dry.deallocate()
    memory.amplified.deallocate()
    memory.low.deallocate()
    memory.middle.deallocate()
    memory.high.deallocate()
    memory.curveInput.deallocate()
    memory.integrals.deallocate()
    memory.shaped.deallocate()
    memory.former.deallocate()
    memory.padded.deallocate()
  }

  /// Returns the time in which the sound decays by 100 dB once the input has ended, in seconds.
  /// - Thread: [any]
  public static func tailSeconds(sampleRate: Double) -> Double {
    Double(2 * latencyFrames) / sampleRate + 11.5 / (2 * .pi * 5)
  }

  // MARK: Set

  /// Crossfades to another shape within 20 ms, after a running crossfade.
  @_noLocks @_noAllocation
  public mutating func setShape(_ shape: DistortionShape) { wantedShape = shape }

  /// Whether the distortion holds no sound: silent input then gives silence.
  public var isAtRest: Bool { @_noLocks @_noAllocation get { isSilent } }

  /// Advances the settings over frames that are not processed.
  @_noLocks @_noAllocation
  public mutating func skip(_ frameCount: Int) {
    var left = frameCount
    while left > 0 {
      let count = beginCrossing(upTo: left)
      let frames = UInt32(truncatingIfNeeded: count)
      crossing.advance(by: frames)
      drive.advance(by: frames)
      gain.advance(by: frames)
      mix.advance(by: frames)
      left &-= count
    }
    setFactors()
  }

  @_noLocks @_noAllocation
  mutating func setFactors() {
    driveFactor = Float(BandShape.gain(decibels: drive.value))
    gainFactor = BandShape.gain(decibels: gain.value)
  }

  /// Starts the crossfade to the wanted shape, unless one is running.
  /// - Returns: the number of frames, up to `count`, before a crossfade ends.
  @_noLocks @_noAllocation
  mutating func beginCrossing(upTo count: Int) -> Int {
    if !crossing.isRamping && wantedShape.place != shape.place {
      formerShape = shape
      shape = wantedShape
      crossing.set(immediately: 0)
      crossing.start(to: 1, overFrames: 0)
    }
    return crossing.isRamping ? min(count, crossing.remainingFrames) : count
  }

  /// Clears the audio state; settings and their ramps continue.
  /// - Complexity: O(1)
  @_noLocks @_noAllocation
  public mutating func reset() {
    first.reset()
    second.reset()
    third.reset()
    var index = 0
    while index < Self.latencyFrames {
      memory.dry[index] = 0
      index &+= 1
    }
    index = 0
    while index < Self.paddingSamples {
      memory.padded[index] = 0
      index &+= 1
    }
    lastInput = 0
    lastShaped = 0
    lastWet = 0
    lastPassed = 0
    quietFrames = 0
    isSilent = true
  }
}
