// An equalizer of one channel: its state and its controls.

/// Bands that follow each other, and a gain behind them; see `EqualizerBandKind` for what a band
/// does.
///
/// What moves goes along ramps, a kind that is set to another within 20 ms, and so does the bypass
/// of a band. Between a ramp's ends the formula is evaluated every 16 frames, and the filter's
/// numbers go straight from one to the next. A band whose gain is 0 dB, of the kinds that have one,
/// changes no bit of what passes it.
///
/// What rings on after the input has ended is silence once it has fallen by 180 dB, so that it
/// ends.
///
/// The output is a pure function of input, settings and frame: bit-identical however a stretch of
/// frames is divided into calls.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct Equalizer: ~Copyable {
  /// What is set of a band.
  public struct Band: Sendable, BitwiseCopyable {
    public var kind = EqualizerBandKind.parametric
    /// Above 0; held at 0.49 times the sample rate.
    public var frequencyHertz = 1000.0
    public var gainDecibels = 0.0
    /// Above 0.
    public var bandwidthOctaves = 1.0
    public var isBypassed = false

    @_noLocks @_noAllocation
    public init() {}
  }

  /// Frames per second.
  public let sampleRate: Double
  public let bandCount: Int
  let bands: UnsafeMutablePointer<EqualizerBand>
  /// Of the bands' filters, four by four.
  let numbers: UnsafeMutablePointer<Double>
  let laneGroupCount: Int
  var gain: LinearRamp
  /// The same as a factor.
  var factor: Double
  /// Whether a band may move.
  var isMoving = false
  /// Whether it holds no sound.
  var isSilent = true
  /// For how many frames the input has been silent while no band moved, and after how many the
  /// states are forgotten.
  var quietFrames = 0
  var decayFrames = 0
  let block: UnsafeMutablePointer<Double>

  /// The most frames that are made at once. Stretches of silence that are shorter than twice as
  /// many end nothing.
  static var blockFrames: Int { @_noLocks @_noAllocation get { 256 } }

  /// A silent equalizer; allocates all the memory that it will use.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, finite and above zero.
  ///   - bands: in the order in which the signal passes them.
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

  /// Sets the kind of a band, to which it crosses over within 20 ms.
  /// - Parameter band: from 0 on, below `bandCount`.
  @_noLocks @_noAllocation
  public mutating func setKind(ofBand band: Int, to kind: EqualizerBandKind) {
    isMoving = true
    bands[band].set(kind)
  }

  /// Starts to move a band's frequency, in hertz; see `LinearRamp.start(to:overFrames:)`.
  @_noLocks @_noAllocation
  public mutating func rampFrequency(
    ofBand band: Int, toHertz value: Double, overFrames frames: UInt32
  ) {
    isMoving = true
    bands[band].rampFrequency(to: value, overFrames: frames)
  }

  /// Starts to move a band's gain, in decibels.
  @_noLocks @_noAllocation
  public mutating func rampGain(
    ofBand band: Int, toDecibels value: Double, overFrames frames: UInt32
  ) {
    isMoving = true
    bands[band].rampGain(to: value, overFrames: frames)
  }

  /// Starts to move a band's bandwidth, in octaves.
  @_noLocks @_noAllocation
  public mutating func rampBandwidth(
    ofBand band: Int, toOctaves value: Double, overFrames frames: UInt32
  ) {
    isMoving = true
    bands[band].rampBandwidth(to: value, overFrames: frames)
  }

  /// Fades a band out or in within 20 ms.
  @_noLocks @_noAllocation
  public mutating func setBypass(ofBand band: Int, to isBypassed: Bool) {
    isMoving = true
    bands[band].heard.start(to: isBypassed ? 0 : 1, overFrames: 0)
  }

  /// Starts to move the gain behind all bands, in decibels.
  @_noLocks @_noAllocation
  public mutating func rampGain(toDecibels value: Double, overFrames frames: UInt32) {
    gain.start(to: value, overFrames: frames)
  }

  // MARK: Read

  /// What a reader of a band's frequency is to be told, in hertz; see `LinearRamp.takeReading()`.
  @_noLocks @_noAllocation
  public mutating func takeFrequencyReading(ofBand band: Int) -> Double? {
    bands[band].frequency.takeReading()
  }

  @_noLocks @_noAllocation
  public mutating func takeGainReading(ofBand band: Int) -> Double? {
    bands[band].gain.takeReading()
  }

  @_noLocks @_noAllocation
  public mutating func takeBandwidthReading(ofBand band: Int) -> Double? {
    bands[band].bandwidth.takeReading()
  }

  @_noLocks @_noAllocation
  public mutating func takeGainReading() -> Double? { gain.takeReading() }

  /// Whether it holds no sound: silence in gives silence out.
  public var isAtRest: Bool { @_noLocks @_noAllocation get { isSilent } }

  /// Lets the settings go on for frames that are not processed.
  @_noLocks @_noAllocation
  public mutating func skip(_ frameCount: Int) {
    if gain.isRamping {
      gain.advance(by: UInt32(clamping: frameCount))
      factor = BandShape.gain(decibels: gain.value)
    }
    if isMoving { skipBands(frameCount) }
  }

  /// Forgets what sounds; the settings and their ramps go on.
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

  /// Frames until no band moves any more.
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

  /// Has the lanes do what a band does that does not move any more.
  @_noLocks @_noAllocation
  func settle(_ band: Int) {
    if bands[band].isOff {
      lanes(of: band).setSection(band & 1, EqualizerSection())
      lanes(of: band).setSectionStates(band & 1, EqualizerStates())
    } else if bands[band].remainingFrames == 0 {
      lanes(of: band).setSection(band & 1, EqualizerSection(bands[band].shape))
    }
  }

  /// All bands have come to rest.
  @_noLocks @_noAllocation
  mutating func rest() {
    isMoving = false
    decayFrames = longestRinging()
  }

  /// Frames in which what rings falls by 180 dB, that of each band added up.
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

  /// The time in which the sound falls by 100 dB once the input has ended, in seconds.
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
