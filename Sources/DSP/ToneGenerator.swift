// A tone generator: its state and its controls.

import Realtime

/// One tone of a wave without aliasing, faded in and out.
///
/// The tone is idle, fades in, sustains or fades out. The phase is a whole number of 2⁻⁶⁴ turns,
/// which wraps without any handling. It continues over changes of pitch, and a tone begins at 0. A
/// pitch set while the tone sounds changes with the next frame, a wave within 20 ms.
///
/// The output is a pure function of settings and frame: bit-identical however a stretch of frames
/// is divided into calls.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct ToneGenerator: ~Copyable {
  /// The state of the tone's envelope.
  public enum State: Sendable, BitwiseCopyable {
    case idle, fadingIn, sustaining, fadingOut
  }

  /// The source of the pitch.
  public enum PitchSource: Sendable, BitwiseCopyable {
    /// The key and the tuning.
    case key
    /// The frequency.
    case frequency
  }

  /// The settings of a tone generator.
  public struct Settings: Sendable, BitwiseCopyable {
    public var source = PitchSource.key
    /// The MIDI key, 0 to 127.
    public var key = 69
    /// The frequency of A4 in hertz, 400 to 480.
    public var tuningHertz = 440.0
    /// The fine tuning of the key, −100 to 100.
    public var fineCents = 0.0
    /// The frequency, 8 to 20 000, used instead of the key if `source` is `frequency`.
    public var frequencyHertz = 1000.0
    public var wave = ToneWave.sine
    /// The amplitude, a linear gain from 0 to 1.
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
  /// The pitch bend of the key, in semitones.
  var bend = 0.0
  /// The frequency of A4 in hertz.
  public var tuning: LinearRamp
  /// The fine tuning in cents.
  public var fine: LinearRamp
  /// The frequency of a tone that has no key, in hertz.
  public var frequency: LinearRamp
  /// The amplitude, 0 to 1.
  public var amplitude: LinearRamp
  var envelope: LinearRamp
  var fadeInFrames: UInt32
  var fadeOutFrames: UInt32
  /// Whether early stops fade out; see `Settings.fadesOutEarly`.
  public var fadesOutEarly: Bool
  /// The sounding wave, the wanted one, and the one that is fading in, with its remaining frames.
  var wave: ToneWave
  var wantedWave: ToneWave
  var nextWave: ToneWave
  var waveFrames: UInt32 = 0
  /// The phase in 2⁻⁶⁴ turns.
  var phase: UInt64 = 0
  /// The frequency in turns per frame, and in 2⁻⁶⁴ turns per frame.
  var turnsPerFrame = 0.0
  var increment: UInt64 = 0
  /// The phases, frequencies, levels, and shares of the wave fading out, of eight frames.
  let lanes: UnsafeMutablePointer<HarmonicSeries.Lanes>

  /// Creates an idle generator, and allocates all its memory.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, finite and above zero.
  ///   - settings: the initial settings, each within its range.
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

  /// Advances the envelope by one frame, and returns its level.
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

  /// Starts the tone, or reverses a fade-out; a sounding tone continues.
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

  /// Fades the tone out. A tone that does not sustain yet ends at once, unless `fadesOutEarly`.
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

  /// Sets the MIDI key, 0 to 127.
  @_noLocks @_noAllocation
  public mutating func setKey(_ key: Int) {
    self.key = key
    aim()
  }

  /// Bends the key by semitones; this has no effect while the frequency determines the pitch.
  @_noLocks @_noAllocation
  public mutating func setBend(semitones: Double) {
    bend = semitones
    aim()
  }

  @_noLocks @_noAllocation
  public mutating func setWave(_ wave: ToneWave) { wantedWave = wave }

  /// Sets the length of fade-ins that begin from now on.
  @_noLocks @_noAllocation
  public mutating func setFadeIn(milliseconds: Double) {
    fadeInFrames = Self.frames(milliseconds, sampleRate)
  }

  /// Sets the length of fade-outs that begin from now on.
  @_noLocks @_noAllocation
  public mutating func setFadeOut(milliseconds: Double) {
    fadeOutFrames = Self.frames(milliseconds, sampleRate)
  }

  /// Returns a fade's length in frames; 1 is no fade.
  @_noLocks @_noAllocation
  private static func frames(_ milliseconds: Double, _ sampleRate: Double) -> UInt32 {
    UInt32(clamping: max(1, Int(saturating: milliseconds / 1000 * sampleRate + 0.5)))
  }
}
