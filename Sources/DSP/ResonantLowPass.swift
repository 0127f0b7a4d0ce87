// A resonant low-pass of two poles for any number of channels: its state and its controls.

/// A two-pole resonant low-pass, H(s) = 1/(s² + s/Q + 1) at the cutoff, Q = 10^(resonance/20).
///
/// The bilinear transform with pre-warped cutoff, as a state-variable structure: one step of the
/// two states without input is the Cayley transform of a dissipative matrix, whatever cutoff and
/// resonance are, so the states' norm cannot grow; modulation at audio rate keeps it stable.
///
/// The output is a pure function of input, settings and frame: bit-identical however a stretch of
/// frames is divided into calls, and whatever the other channels carry.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct ResonantLowPass: ~Copyable {
  /// The highest cutoff, as a part of the sample rate: a higher one is held here, below Nyquist.
  public static var highestCutoffPerSampleRate: Double {
    @_noLocks @_noAllocation get { 0.499 }
  }

  /// Frames per second.
  public let sampleRate: Double
  /// Channels, each filtered on its own.
  public let channelCount: Int
  /// The cutoff in hertz.
  public private(set) var cutoffHertz: LinearRamp
  /// The resonance: the gain at the cutoff in decibels.
  public private(set) var resonanceDecibels: LinearRamp

  /// The coefficients at the sounding cutoff and resonance, with what they were made of.
  var coefficients: ResonantLowPassCoefficients
  var warpedCutoff: Double
  var damping: Double
  /// Whether the states hold `drive` in place of `band`: see `ResonantLowPassCoefficients`.
  var isDriven = false
  /// A state for every two channels; the last one's second lane repeats the first if they are odd.
  let states: UnsafeMutablePointer<PairState>
  let pairCount: Int
  /// Room for the coefficients of `rampBlockFrames` frames.
  let rampBlock: UnsafeMutablePointer<ResonantLowPassCoefficients>

  /// Frames for which a ramp's coefficients are computed ahead, once for all channels.
  static var rampBlockFrames: Int {
    @_noLocks @_noAllocation get { 64 }
  }

  /// A silent filter; allocates all the memory that it will use.
  ///
  /// - Parameters:
  ///   - channelCount: at least 1.
  ///   - sampleRate: frames per second, finite and above zero.
  ///   - cutoffHertz: above 0; held at `highestCutoffPerSampleRate`.
  ///   - resonanceDecibels: finite.
  public init(
    channelCount: Int, sampleRate: Double, cutoffHertz: Double, resonanceDecibels: Double
  ) {
    precondition(channelCount > 0 && sampleRate > 0 && sampleRate.isFinite)
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.cutoffHertz = LinearRamp(value: cutoffHertz, sampleRate: sampleRate)
    self.resonanceDecibels = LinearRamp(value: resonanceDecibels, sampleRate: sampleRate)
    warpedCutoff = ResonantLowPassCoefficients.warpedCutoff(
      hertz: cutoffHertz, sampleRate: sampleRate)
    damping = ResonantLowPassCoefficients.damping(resonanceDecibels: resonanceDecibels)
    coefficients = ResonantLowPassCoefficients(warpedCutoff: warpedCutoff, damping: damping)
    pairCount = (channelCount + 1) / 2
    states = .allocate(capacity: pairCount)
    states.initialize(repeating: PairState(), count: pairCount)
    rampBlock = .allocate(capacity: Self.rampBlockFrames)
    rampBlock.initialize(repeating: coefficients, count: Self.rampBlockFrames)
  }

  deinit {
    states.deallocate()
    rampBlock.deallocate()
  }

  /// Starts to move the cutoff with the next frame; see `LinearRamp.start(to:overFrames:)`.
  @_noLocks @_noAllocation
  public mutating func rampCutoff(toHertz hertz: Double, overFrames frames: UInt32) {
    cutoffHertz.start(to: hertz, overFrames: frames)
  }

  /// Starts to move the resonance with the next frame; see `LinearRamp.start(to:overFrames:)`.
  @_noLocks @_noAllocation
  public mutating func rampResonance(toDecibels decibels: Double, overFrames frames: UInt32) {
    resonanceDecibels.start(to: decibels, overFrames: frames)
  }

  /// Rests at a cutoff and a resonance at once, ending their ramps; the states stay.
  @_noLocks @_noAllocation
  public mutating func set(immediatelyCutoffHertz hertz: Double, resonanceDecibels: Double) {
    cutoffHertz.set(immediately: hertz)
    self.resonanceDecibels.set(immediately: resonanceDecibels)
    evaluate()
  }

  /// Whether the cutoff or the resonance moves.
  var isRamping: Bool {
    @_noLocks @_noAllocation get { cutoffHertz.isRamping || resonanceDecibels.isRamping }
  }

  /// Lets the ramps go on for `frames` frames that are not filtered.
  @_noLocks @_noAllocation
  public mutating func advanceRamps(by frames: Int) {
    if !isRamping { return }
    cutoffHertz.advance(by: UInt32(truncatingIfNeeded: frames))
    resonanceDecibels.advance(by: UInt32(truncatingIfNeeded: frames))
    evaluate()
  }

  /// Takes the coefficients of the cutoff and the resonance at which the ramps stand now.
  @_noLocks @_noAllocation
  private mutating func evaluate() {
    holdBands()
    warpedCutoff = ResonantLowPassCoefficients.warpedCutoff(
      hertz: cutoffHertz.value, sampleRate: sampleRate)
    damping = ResonantLowPassCoefficients.damping(resonanceDecibels: resonanceDecibels.value)
    coefficients = ResonantLowPassCoefficients(warpedCutoff: warpedCutoff, damping: damping)
  }

  /// What a reader of the cutoff is to be told, in hertz; see `LinearRamp.takeReading()`.
  @_noLocks @_noAllocation
  public mutating func takeCutoffReading() -> Double? { cutoffHertz.takeReading() }

  /// What a reader of the resonance is to be told, in decibels.
  @_noLocks @_noAllocation
  public mutating func takeResonanceReading() -> Double? { resonanceDecibels.takeReading() }

  /// Silences the filter: forgets all past input. Cutoff, resonance and their ramps go on.
  @_noLocks @_noAllocation
  public mutating func reset() {
    var pair = 0
    while pair < pairCount {
      states[pair] = PairState()
      pair &+= 1
    }
  }

  /// Whether the filter has rung out: silent input then gives silent output.
  public var isAtRest: Bool {
    @_noLocks @_noAllocation get {
      var pair = 0
      while pair < pairCount {
        if !states[pair].isZero { return false }
        pair &+= 1
      }
      return true
    }
  }

  /// Moves the ramps by one frame and evaluates the coefficients there.
  @_noLocks @_noAllocation
  mutating func stepRamps() {
    if cutoffHertz.isRamping {
      warpedCutoff = ResonantLowPassCoefficients.warpedCutoff(
        hertz: cutoffHertz.next(), sampleRate: sampleRate)
    }
    if resonanceDecibels.isRamping {
      damping = ResonantLowPassCoefficients.damping(resonanceDecibels: resonanceDecibels.next())
    }
    coefficients = ResonantLowPassCoefficients(warpedCutoff: warpedCutoff, damping: damping)
  }
}
