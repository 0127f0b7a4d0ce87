// A two-pole resonant low-pass for any number of channels: its state and its controls.

import Realtime

/// A two-pole resonant low-pass, H(s) = 1/(s² + s/Q + 1) at the cutoff, Q = 10^(resonance/20).
///
/// The filter is the bilinear transform with pre-warped cutoff, as a state-variable structure. One
/// step of the two states without input is the Cayley transform of a dissipative matrix for any
/// cutoff and resonance. The states' norm therefore cannot grow, and modulation at audio rate is
/// stable.
///
/// The output is a pure function of input, settings and frame. It is bit-identical for any division
/// of frames into calls, and for any content of the other channels.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct ResonantLowPass: ~Copyable {
  /// The highest cutoff, as a part of the sample rate, below Nyquist; a higher one is limited to
  /// it.
  public static var highestCutoffPerSampleRate: Double {
    @_noLocks @_noAllocation get { 0.499 }
  }

  /// Frames per second.
  public let sampleRate: Double
  /// Number of channels, each filtered separately.
  public let channelCount: Int
  /// The cutoff in hertz.
  public var cutoffHertz: LinearRamp
  /// The resonance: the gain at the cutoff in decibels.
  public var resonanceDecibels: LinearRamp

  /// The coefficients at the sounding cutoff and resonance, and the values they result from.
  var coefficients: ResonantLowPassCoefficients
  var warpedCutoff: Double
  var damping: Double
  /// Whether the states hold `drive` instead of `band`; see `ResonantLowPassCoefficients`.
  var isDriven = false
  /// A state for every two channels. With an odd count, the last one's second lane repeats the
  /// first.
  let states: UnsafeMutablePointer<PairState>
  let pairCount: Int
  /// Memory for the coefficients of `rampBlockFrames` frames.
  let rampBlock: UnsafeMutablePointer<ResonantLowPassCoefficients>

  /// Frames for which a ramp's coefficients are computed ahead, once for all channels.
  static var rampBlockFrames: Int {
    @_noLocks @_noAllocation get { 64 }
  }

  /// Creates a silent filter, and allocates all its memory.
  ///
  /// - Parameters:
  ///   - channelCount: at least 1.
  ///   - sampleRate: frames per second, finite and above zero.
  ///   - cutoffHertz: above 0; limited to `highestCutoffPerSampleRate`.
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

  /// Sets cutoff and resonance at once, ending their ramps; the states stay.
  @_noLocks @_noAllocation
  public mutating func set(immediatelyCutoffHertz hertz: Double, resonanceDecibels: Double) {
    cutoffHertz.set(immediately: hertz)
    self.resonanceDecibels.set(immediately: resonanceDecibels)
    evaluate()
  }

  /// Whether the cutoff or the resonance is ramping.
  var isRamping: Bool {
    @_noLocks @_noAllocation get { cutoffHertz.isRamping || resonanceDecibels.isRamping }
  }

  /// Advances the ramps over `frames` frames that are not filtered.
  @_noLocks @_noAllocation
  public mutating func advanceRamps(by frames: Int) {
    if !isRamping { return }
    cutoffHertz.advance(by: UInt32(truncatingIfNeeded: frames))
    resonanceDecibels.advance(by: UInt32(truncatingIfNeeded: frames))
    evaluate()
  }

  /// Updates the coefficients to the ramps' current cutoff and resonance.
  @_noLocks @_noAllocation
  private mutating func evaluate() {
    holdBands()
    warpedCutoff = ResonantLowPassCoefficients.warpedCutoff(
      hertz: cutoffHertz.value, sampleRate: sampleRate)
    damping = ResonantLowPassCoefficients.damping(resonanceDecibels: resonanceDecibels.value)
    coefficients = ResonantLowPassCoefficients(warpedCutoff: warpedCutoff, damping: damping)
  }

  /// Clears the audio state. Cutoff, resonance and their ramps continue.
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

  /// Advances the ramps by one frame and evaluates the coefficients there.
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
