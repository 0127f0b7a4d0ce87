// A tone generator: its state and its controls.

/// One tone of a wave without aliasing, faded in and out.
///
/// It is idle, fades in, sustains or fades out. The phase is a whole number of 2⁻⁶⁴ turns, which
/// wraps by itself: it goes on over changes of pitch, and a tone begins at 0. A pitch that is set
/// while the tone sounds changes with the next frame, the wave within 20 ms.
///
/// The output is a pure function of settings and frame: bit-identical however a stretch of frames
/// is divided into calls.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct ToneGenerator: ~Copyable {
  /// What the level does.
  public enum State: Sendable, BitwiseCopyable {
    case idle, fadingIn, sustaining, fadingOut
  }

  /// What decides the pitch.
  public enum PitchSource: Sendable, BitwiseCopyable {
    /// The key and the tuning.
    case key
    /// The frequency.
    case frequency
  }

  /// What is set.
  public struct Settings: Sendable, BitwiseCopyable {
    public var source = PitchSource.key
    /// 0 to 127.
    public var key = 69
    /// The frequency of A4 in hertz, 400 to 480.
    public var tuningHertz = 440.0
    /// −100 to 100, on top of the key.
    public var fineCents = 0.0
    /// 8 to 20 000, in place of the key.
    public var frequencyHertz = 1000.0
    public var wave = ToneWave.sine
    /// A linear gain, 0 to 1.
    public var amplitude = 0.85
    public var fadeInMilliseconds = 10.0
    public var fadeOutMilliseconds = 10.0
    /// Whether a tone that is stopped before it sustains fades out; otherwise it ends at once.
    public var fadesOutEarly = false

    @_noLocks @_noAllocation
    public init() {}
  }

  /// Frames per second.
  public let sampleRate: Double
  public private(set) var state = State.idle
  let series: HarmonicSeries
  var source: PitchSource
  var key: Int
  /// By how many semitones a bend moves the key.
  var bend = 0.0
  var tuning: LinearRamp
  var fine: LinearRamp
  var frequency: LinearRamp
  var amplitude: LinearRamp
  var envelope: LinearRamp
  var fadeInFrames: UInt32
  var fadeOutFrames: UInt32
  /// See `Settings.fadesOutEarly`.
  public var fadesOutEarly: Bool
  /// The wave that sounds, the one that is wanted, and the one that fades in for so many frames.
  var wave: ToneWave
  var wantedWave: ToneWave
  var nextWave: ToneWave
  var waveFrames: UInt32 = 0
  /// In 2⁻⁶⁴ turns.
  var phase: UInt64 = 0
  /// Turns per frame, and the same in 2⁻⁶⁴ turns.
  var turnsPerFrame = 0.0
  var increment: UInt64 = 0
  /// Of eight frames the phases, the frequencies, the levels and the shares of a wave that goes.
  let lanes: UnsafeMutablePointer<HarmonicSeries.Lanes>

  /// An idle generator; allocates all the memory that it will use.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, finite and above zero.
  ///   - settings: where it starts, each within its range.
  public init(sampleRate: Double, settings: Settings = Settings()) {
    precondition(sampleRate > 0 && sampleRate.isFinite)
    self.sampleRate = sampleRate
    series = HarmonicSeries(sampleRate: sampleRate)
    source = settings.source
    key = settings.key
    tuning = LinearRamp(value: settings.tuningHertz, sampleRate: sampleRate)
    fine = LinearRamp(value: settings.fineCents, sampleRate: sampleRate)
    frequency = LinearRamp(value: settings.frequencyHertz, sampleRate: sampleRate)
    amplitude = LinearRamp(value: settings.amplitude, sampleRate: sampleRate)
    envelope = LinearRamp(value: 0, sampleRate: sampleRate)
    fadeInFrames = Self.frames(settings.fadeInMilliseconds, sampleRate)
    fadeOutFrames = Self.frames(settings.fadeOutMilliseconds, sampleRate)
    fadesOutEarly = settings.fadesOutEarly
    wave = settings.wave
    wantedWave = settings.wave
    nextWave = settings.wave
    lanes = .allocate(capacity: 4)
    lanes.initialize(repeating: HarmonicSeries.Lanes(repeating: 0), count: 4)
    aim()
  }

  deinit { lanes.deallocate() }

  var isIdle: Bool {
    @_noLocks @_noAllocation get {
      switch state {
      case .idle: true
      default: false
      }
    }
  }

  /// The level of the next frame.
  @_noLocks @_noAllocation
  mutating func stepEnvelope() -> Double {
    if envelope.isRamping {
      envelope.advance(by: 1)
      if !envelope.isRamping {
        switch state {
        case .fadingIn: state = .sustaining
        default: state = .idle
        }
      }
    }
    return envelope.value
  }

  /// Starts the tone, or turns a fade-out round; a tone that sounds goes on.
  @_noLocks @_noAllocation
  public mutating func play() {
    switch state {
    case .idle:
      phase = 0
      wave = wantedWave
      waveFrames = 0
    case .fadingOut: break
    case .fadingIn, .sustaining: return
    }
    state = .fadingIn
    envelope.start(to: 1, overFrames: fadeInFrames)
  }

  /// Fades the tone out; one that does not sustain yet ends at once, unless `fadesOutEarly`.
  @_noLocks @_noAllocation
  public mutating func stop() {
    switch state {
    case .idle, .fadingOut: return
    case .fadingIn: if !fadesOutEarly { return silence() }
    case .sustaining: break
    }
    state = .fadingOut
    envelope.start(to: 0, overFrames: fadeOutFrames)
  }

  /// Ends the tone at once.
  @_noLocks @_noAllocation
  public mutating func silence() {
    state = .idle
    envelope.set(immediately: 0)
  }

  @_noLocks @_noAllocation
  public mutating func setSource(_ source: PitchSource) {
    self.source = source
    aim()
  }

  /// 0 to 127.
  @_noLocks @_noAllocation
  public mutating func setKey(_ key: Int) {
    self.key = key
    aim()
  }

  /// Moves the key by so many semitones, while the key decides the pitch.
  @_noLocks @_noAllocation
  public mutating func setBend(semitones: Double) {
    bend = semitones
    aim()
  }

  @_noLocks @_noAllocation
  public mutating func setWave(_ wave: ToneWave) { wantedWave = wave }

  /// For fades that begin from now on.
  @_noLocks @_noAllocation
  public mutating func setFadeIn(milliseconds: Double) {
    fadeInFrames = Self.frames(milliseconds, sampleRate)
  }

  /// For fades that begin from now on.
  @_noLocks @_noAllocation
  public mutating func setFadeOut(milliseconds: Double) {
    fadeOutFrames = Self.frames(milliseconds, sampleRate)
  }

  /// Starts to move the frequency of A4, in hertz; see `LinearRamp.start(to:overFrames:)`.
  @_noLocks @_noAllocation
  public mutating func rampTuning(toHertz value: Double, overFrames frames: UInt32) {
    tuning.start(to: value, overFrames: frames)
  }

  @_noLocks @_noAllocation
  public mutating func rampFine(toCents value: Double, overFrames frames: UInt32) {
    fine.start(to: value, overFrames: frames)
  }

  @_noLocks @_noAllocation
  public mutating func rampFrequency(toHertz value: Double, overFrames frames: UInt32) {
    frequency.start(to: value, overFrames: frames)
  }

  @_noLocks @_noAllocation
  public mutating func rampAmplitude(to value: Double, overFrames frames: UInt32) {
    amplitude.start(to: value, overFrames: frames)
  }

  /// What a reader of the tuning is to be told; see `LinearRamp.takeReading()`.
  @_noLocks @_noAllocation
  public mutating func takeTuningReading() -> Double? { tuning.takeReading() }

  @_noLocks @_noAllocation
  public mutating func takeFineReading() -> Double? { fine.takeReading() }

  @_noLocks @_noAllocation
  public mutating func takeFrequencyReading() -> Double? { frequency.takeReading() }

  @_noLocks @_noAllocation
  public mutating func takeAmplitudeReading() -> Double? { amplitude.takeReading() }

  /// A fade's length: 1 frame is none.
  @_noLocks @_noAllocation
  private static func frames(_ milliseconds: Double, _ sampleRate: Double) -> UInt32 {
    UInt32(clamping: max(1, Int(saturating: milliseconds / 1000 * sampleRate + 0.5)))
  }
}
