// An equalizer of one channel: its state and its controls.

public import Realtime

/// A series of bands, and a gain after them; `EqualizerBandKind` has the bands' formulas.
///
/// Frequencies, gains and bandwidths ramp. A changed kind and a changed bypass of a band crossfade
/// within 20 ms. During a ramp the formula is evaluated every 16 frames, and the filter's
/// coefficients are interpolated linearly. A band with a gain of 0 dB, of the kinds that have a
/// gain, leaves its input bit-identical.
///
/// Ringing after the end of the input counts as silence once it has decayed by 180 dB, so that the
/// tail ends.
///
/// The output is a pure function of input, settings and frame: bit-identical however a stretch of
/// frames is divided into calls.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct Equalizer: ~Copyable {
  /// The settings of a band.
  public struct Band: Sendable, BitwiseCopyable {
    public var kind = EqualizerBandKind.parametric
    /// The frequency, above 0; limited to 0.49 times the sample rate.
    public var frequencyHertz = 1000.0
    public var gainDecibels = 0.0
    /// The bandwidth, above 0.
    public var bandwidthOctaves = 1.0
    public var isBypassed = false

    @_noLocks @_noAllocation
    public init() {}
  }

  /// A setting of a band.
  public enum BandSetting: Sendable, BitwiseCopyable {
    case kind, frequency, gain, bandwidth, bypass

    /// Creates the setting with a number, as the parameters of units have it.
    @_noLocks @_noAllocation
    public init(number: Int) {
      switch number {
      case 0: self = .kind
      case 1: self = .frequency
      case 2: self = .gain
      case 3: self = .bandwidth
      default: self = .bypass
      }
    }
  }

  /// Frames per second.
  public let sampleRate: Double
  public let bandCount: Int
  let bands: UnsafeMutablePointer<EqualizerBand>
  /// Coefficients and states of the bands' filters, in groups of four.
  let numbers: UnsafeMutablePointer<Double>
  let laneGroupCount: Int
  /// The gain after all bands, in decibels.
  public var gain: LinearRamp
  /// The gain as a factor.
  var factor: Double
  /// Whether a band may be changing.
  var isMoving = false
  /// Whether the equalizer holds no sound.
  var isSilent = true
  /// Frames of silent input while no band changed, and the number after which the states are
  /// cleared.
  var quietFrames = 0
  var decayFrames = 0
  let block: UnsafeMutablePointer<Double>

  /// The most frames of a block. Stretches of silence shorter than twice as many never clear the
  /// states.
  static var blockFrames: Int { @_noLocks @_noAllocation get { 256 } }

  /// Creates a silent equalizer, and allocates all its memory.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, finite and above zero.
  ///   - bands: the bands in signal order.
  public init(sampleRate: Double, bands settings: [Band], gainDecibels: Double = 0) {
    precondition(sampleRate > 0 && sampleRate.isFinite)
    self.sampleRate = sampleRate
    bandCount = settings.count
    bands = .allocate(capacity: max(1, bandCount))
    let lanes = EqualizerLanes.bandCount
    laneGroupCount = (bandCount + lanes - 1) / lanes
    let count = laneGroupCount * EqualizerLanes.numberCount
    numbers = .allocate(capacity: max(1, count))
    numbers.initialize(repeating: 0, count: count)
    gain = LinearRamp(value: gainDecibels, sampleRate: sampleRate)
    factor = BandShape.gain(decibels: gainDecibels)
    block = .allocate(capacity: Self.blockFrames)
    block.initialize(repeating: 0, count: Self.blockFrames)
    for (index, band) in settings.enumerated() {
      (bands + index).initialize(to: EqualizerBand(band, sampleRate: sampleRate))
    }
    for index in 0..<(laneGroupCount * lanes) {
      self.lanes(of: index).setSection(
        index & 1,
        index < bandCount && !bands[index].isOff
          ? EqualizerSection(bands[index].shape) : EqualizerSection())
    }
    decayFrames = longestRinging()
  }

  deinit {
    bands.deallocate()
    numbers.deallocate()
    block.deallocate()
  }

  // MARK: Set

  /// Changes or reads a setting of a band: its kind by number, its frequency in hertz, gain in
  /// decibels or bandwidth in octaves, or its bypass, from 0.5 on. A kind and a bypass are reached
  /// within 20 ms, whatever the ramp, and have no reading.
  /// - Parameter band: the band, counted from 0, below `bandCount`.
  @_noLocks @_noAllocation
  public mutating func setting(
    _ setting: BandSetting, ofBand band: Int, _ request: ParameterRequest
  ) -> Double? {
    if case .start = request { isMoving = true }
    return bands[band].answer(request, setting)
  }

  // MARK: Read

  /// Whether the equalizer holds no sound: silent input then gives silence.
  public var isAtRest: Bool { @_noLocks @_noAllocation get { isSilent } }

  /// Advances the settings over frames that are not processed.
  @_noLocks @_noAllocation
  public mutating func skip(_ frameCount: Int) {
    if gain.isRamping {
      gain.advance(by: UInt32(clamping: frameCount))
      factor = BandShape.gain(decibels: gain.value)
    }
    if isMoving { skipBands(frameCount) }
  }

  /// Clears the audio state; settings and their ramps continue.
  /// - Complexity: O(bands)
  @_noLocks @_noAllocation
  public mutating func reset() {
    var group = 0
    while group < laneGroupCount {
      lanes(ofGroup: group).reset()
      group &+= 1
    }
    isSilent = true
    quietFrames = 0
  }

  // MARK: Bands

  @_noLocks @_noAllocation
  func lanes(ofGroup group: Int) -> EqualizerLanes {
    EqualizerLanes(numbers + group &* EqualizerLanes.numberCount)
  }

  @_noLocks @_noAllocation
  func lanes(of band: Int) -> EqualizerLanes { lanes(ofGroup: band &>> 1) }

  /// Returns the frames until no band is changing.
  @_noLocks @_noAllocation
  func movingFrames() -> Int {
    var frames = 0
    var band = 0
    while isMoving && band < bandCount {
      frames = max(frames, bands[band].remainingFrames)
      band &+= 1
    }
    return frames
  }

  @_noLocks @_noAllocation
  mutating func skipBands(_ frameCount: Int) {
    var band = 0
    while band < bandCount {
      if bands[band].remainingFrames > 0 {
        bands[band].skip(frameCount)
        settle(band)
      }
      band &+= 1
    }
    if movingFrames() == 0 { rest() }
  }

  /// Updates the lanes to a band whose changes have ended.
  @_noLocks @_noAllocation
  func settle(_ band: Int) {
    if bands[band].isOff {
      lanes(of: band).setSection(band & 1, EqualizerSection())
      lanes(of: band).setSectionStates(band & 1, EqualizerStates())
    } else if bands[band].remainingFrames == 0 {
      lanes(of: band).setSection(band & 1, EqualizerSection(bands[band].shape))
    }
  }

  /// Marks that no band is changing.
  @_noLocks @_noAllocation
  mutating func rest() {
    isMoving = false
    decayFrames = longestRinging()
  }

  /// Returns the sum of the bands' times of ringing down by 180 dB, in frames.
  @_noLocks @_noAllocation
  private func longestRinging() -> Int {
    var frames = 0.0
    var band = 0
    while band < bandCount {
      let shape = bands[band].shape
      if !bands[band].isOff && !shape.isNeutral { frames += 20.7 * shape.decayFrames }
      band &+= 1
    }
    return max(2 &* Self.blockFrames, Int(saturating: frames))
  }

  /// Returns the time in which the sound decays by 100 dB once the input has ended, in seconds.
  /// - Thread: [any]
  public static func tailSeconds(_ bands: [Band], sampleRate: Double) -> Double {
    bands.reduce(0) { sum, band in
      let shape = MatchedBand(band, sampleRate: sampleRate)
      return band.isBypassed || shape.isNeutral
        ? sum : sum + 11.5 * shape.decayFrames / sampleRate
    }
  }
}

extension MatchedBand {
  init(_ band: Equalizer.Band, sampleRate: Double) {
    self = .band(
      band.kind, hertz: band.frequencyHertz, decibels: band.gainDecibels,
      octaves: band.bandwidthOctaves, sampleRate: sampleRate)
  }
}
