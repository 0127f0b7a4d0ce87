// A distortion of one channel: its state and its controls.

/// A curve at eight times the sample rate, between a gain before it and one behind it, and mixed
/// with the input, which is as late.
///
/// Harmonics that the curve makes above half the sample rate would come back as tones that are in
/// no relation to the sound. Filters of linear phase take them out before they can; what the curve
/// makes beyond eight times the rate is damped as `DistortionShape` says. At 48 kHz, beside
/// a full-scale tone of up to 5 kHz, such tones of up to 20 kHz are below −90 dB at 12 dB of drive,
/// and below −70 dB at 30 dB. Towards half the sample rate they rise, to −11 dB.
///
/// A high-pass at 5 Hz behind the curve keeps off what is no sound. All that moves goes along
/// ramps; another curve comes within 20 ms. What rings on is silence once it has fallen by 180 dB.
///
/// The output is a pure function of input, settings and frame: bit-identical however a stretch of
/// frames is divided into calls.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct Distortion: ~Copyable {
  /// What is set.
  public struct Settings: Sendable, BitwiseCopyable {
    public var shape = DistortionShape.soft
    /// In decibels.
    public var driveDecibels = 12.0
    /// Behind the curve, in decibels.
    public var gainDecibels = 0.0
    /// Per cent: 0 is the input alone, 100 the curve.
    public var mix = 100.0

    @_noLocks @_noAllocation
    public init() {}
  }

  /// How many frames the output is late.
  public static var latencyFrames: Int { @_noLocks @_noAllocation get { 56 } }

  /// Frames per second.
  public let sampleRate: Double
  var shape: DistortionShape
  /// The one that is wanted once the crossing has ended.
  var wantedShape: DistortionShape
  var formerShape: DistortionShape
  /// From the former shape, 0, to this one, 1.
  var crossing: LinearRamp
  var drive: LinearRamp
  var gain: LinearRamp
  var mix: LinearRamp
  /// Drive and gain as factors.
  var driveFactor: Float
  var gainFactor: Double

  /// Twice, four and eight times the rate.
  var first: HalfBand
  var second: HalfBand
  var third: HalfBand
  let memory: Memory
  /// The last sample before the curve, and the last one behind it.
  var lastInput = 0.0
  var lastShaped = 0.0
  /// Of the high-pass.
  let pole: Double
  var lastWet = 0.0
  var lastPassed = 0.0
  /// For how many frames the input has been silent, and after how many all is forgotten.
  var quietFrames = 0
  let decayFrames: Int
  var isSilent = true

  /// Frames that are made at once.
  static var blockFrames: Int { @_noLocks @_noAllocation get { 64 } }
  static var oversampling: Int { @_noLocks @_noAllocation get { 8 } }
  /// Samples at eight times the rate that make the whole delay one of whole frames: 8 · 47 + 4 · 11
  /// + 2 · 11 for the filters and 1 for the curve are 443.
  static var paddingSamples: Int { @_noLocks @_noAllocation get { 5 } }

  /// Room for a block.
  struct Memory: BitwiseCopyable {
    /// The input of the last `latencyFrames` frames, and that of a block.
    let dry: UnsafeMutablePointer<Float>
    /// At the rate, before the filters and behind them.
    let amplified: UnsafeMutablePointer<Float>
    let low: UnsafeMutablePointer<Float>
    let middle: UnsafeMutablePointer<Float>
    let high: UnsafeMutablePointer<Float>
    let curveInput: UnsafeMutablePointer<Double>
    let integrals: UnsafeMutablePointer<Double>
    let shaped: UnsafeMutablePointer<Double>
    let former: UnsafeMutablePointer<Double>
    /// Behind the curve; begins with `paddingSamples` of before.
    let padded: UnsafeMutablePointer<Float>
  }

  /// A silent distortion; allocates all the memory that it will use.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, finite and above zero.
  ///   - settings: where it starts.
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
    pole = Vouched.exponential(-radians)
    // 180 dB of the high-pass, behind the filters.
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

  /// The time in which the sound falls by 100 dB once the input has ended, in seconds.
  /// - Thread: [any]
  public static func tailSeconds(sampleRate: Double) -> Double {
    Double(2 * latencyFrames) / sampleRate + 11.5 / (2 * .pi * 5)
  }

  // MARK: Set

  /// Crosses over to another shape within 20 ms, or once it has crossed over to the last one.
  @_noLocks @_noAllocation
  public mutating func setShape(_ shape: DistortionShape) { wantedShape = shape }

  /// Starts to move the gain before the curve, in decibels; see `LinearRamp.start(to:overFrames:)`.
  @_noLocks @_noAllocation
  public mutating func rampDrive(toDecibels value: Double, overFrames frames: UInt32) {
    drive.start(to: value, overFrames: frames)
  }

  /// Starts to move the gain behind the curve, in decibels.
  @_noLocks @_noAllocation
  public mutating func rampGain(toDecibels value: Double, overFrames frames: UInt32) {
    gain.start(to: value, overFrames: frames)
  }

  /// Starts to move the mix, in per cent.
  @_noLocks @_noAllocation
  public mutating func rampMix(to value: Double, overFrames frames: UInt32) {
    mix.start(to: value, overFrames: frames)
  }

  /// What a reader of the drive is to be told, in decibels; see `LinearRamp.takeReading()`.
  @_noLocks @_noAllocation
  public mutating func takeDriveReading() -> Double? { drive.takeReading() }

  @_noLocks @_noAllocation
  public mutating func takeGainReading() -> Double? { gain.takeReading() }

  @_noLocks @_noAllocation
  public mutating func takeMixReading() -> Double? { mix.takeReading() }

  /// Whether it holds no sound: silence in gives silence out.
  public var isAtRest: Bool { @_noLocks @_noAllocation get { isSilent } }

  /// Lets the settings go on for frames that are not processed.
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

  /// Begins the crossing to the shape that is wanted, where none goes on.
  /// - Returns: how many of `count` frames come before a crossing ends.
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

  /// Forgets what sounds; the settings and their ramps go on.
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
