// A limiter: from the level of a sound to the gain that keeps it below a ceiling.

/// What is made of levels, one for all channels together. Whose level it is that decides, the
/// sound's own or another one's, is the caller's affair.
///
/// A gain before it, and then no sample above the ceiling: the gain is the lowest that any sample
/// within the look-ahead needs, reached along straight lines no longer than that; then it rises
/// with the release, the time in which what is left of the way falls to 1/e. With no look-ahead it
/// is there on the sample's own frame.
///
/// The gain and the ceiling go along ramps, and are those of the frame on which a sample comes in.
/// The gains are a pure function of levels, settings and frame: bit-identical however a stretch of
/// frames is divided into calls.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct Limiter: ~Copyable {
  /// What is set.
  public struct Settings: Sendable, BitwiseCopyable {
    /// Before the limiter.
    public var gainDecibels = 0.0
    public var ceilingDecibels = -1.0
    public var releaseMilliseconds = 100.0
    /// How many frames the sound comes behind its level, up to 2²⁰ − 1.
    public var lookAheadFrames = 0
    /// How many frames levels come behind their samples.
    public var lateFrames = 0

    @_noLocks @_noAllocation
    public init() {}
  }

  /// Frames per second.
  public let sampleRate: Double
  public let lookAheadFrames: Int
  private var gain: LinearRamp
  private var ceiling: LinearRamp
  private var release: Double
  /// The gain that was needed, and rises; the one of the last frame.
  private var needed = 1.0
  private var heard = 1.0
  private var window: LowestGain
  /// The gains of the frames that have not come out yet, from `place` on, and for how many frames
  /// they have been the same.
  private let gains: UnsafeMutablePointer<Float>
  private var place = 0
  private var steadyFrames: Int

  /// A limiter that lowers nothing yet; allocates all the memory that it will use.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, finite and above zero.
  ///   - settings: where it starts; the look-ahead stays as it is.
  public init(sampleRate: Double, settings: Settings = Settings()) {
    precondition(sampleRate > 0 && sampleRate.isFinite && settings.lookAheadFrames >= 0)
    self.sampleRate = sampleRate
    lookAheadFrames = settings.lookAheadFrames
    gain = LinearRamp(value: settings.gainDecibels, sampleRate: sampleRate)
    ceiling = LinearRamp(value: settings.ceilingDecibels, sampleRate: sampleRate)
    release = DynamicsTime.part(
      milliseconds: settings.releaseMilliseconds, sampleRate: sampleRate)
    window = LowestGain(frames: settings.lookAheadFrames + 1)
    window.setLate(frames: settings.lateFrames)
    gains = .allocate(capacity: max(1, settings.lookAheadFrames))
    gains.initialize(
      repeating: Float(BandShape.gain(decibels: settings.gainDecibels)),
      count: max(1, settings.lookAheadFrames))
    steadyFrames = settings.lookAheadFrames
  }

  deinit { gains.deallocate() }

  // MARK: Set

  /// Starts to move the gain, in decibels; see `LinearRamp.start(to:overFrames:)`.
  @_noLocks @_noAllocation
  public mutating func rampGain(toDecibels value: Double, overFrames frames: UInt32) {
    if isSteady {
      // They were not written while they were the same.
      let rest = Float(BandShape.gain(decibels: gain.value))
      var index = 0
      while index < lookAheadFrames {
        gains[index] = rest
        index &+= 1
      }
    }
    gain.start(to: value, overFrames: frames)
    if gain.isRamping { steadyFrames = 0 }
  }

  /// Starts to move the ceiling, in decibels.
  @_noLocks @_noAllocation
  public mutating func rampCeiling(toDecibels value: Double, overFrames frames: UInt32) {
    ceiling.start(to: value, overFrames: frames)
  }

  @_noLocks @_noAllocation
  public mutating func setRelease(milliseconds: Double) {
    release = DynamicsTime.part(milliseconds: milliseconds, sampleRate: sampleRate)
  }

  /// Sets how many frames levels come behind their samples: the gain is there as many frames
  /// earlier, but no earlier than the look-ahead has it.
  /// - Complexity: O(look-ahead)
  @_noLocks @_noAllocation
  public mutating func setLate(frames: Int) { window.setLate(frames: frames) }

  // MARK: Read

  /// What a reader of the gain is to be told, in decibels; see `LinearRamp.takeReading()`.
  @_noLocks @_noAllocation
  public mutating func takeGainReading() -> Double? { gain.takeReading() }

  @_noLocks @_noAllocation
  public mutating func takeCeilingReading() -> Double? { ceiling.takeReading() }

  /// By how many decibels the last gain is lowered.
  public var reductionDecibels: Double {
    @_noLocks @_noAllocation get { heard < 1 ? Double(-Decibels.of(Float(max(heard, 1e-10)))) : 0 }
  }

  /// Whether silence lowers nothing, and goes on doing so.
  public var isAtRest: Bool { @_noLocks @_noAllocation get { needed == 1 && window.isOpen } }

  /// Whether the gain has been the same for as long as anything waits.
  private var isSteady: Bool {
    @_noLocks @_noAllocation get { !gain.isRamping && steadyFrames >= lookAheadFrames }
  }

  /// Forgets the levels; settings and their ramps go on.
  /// - Complexity: O(look-ahead)
  @_noLocks @_noAllocation
  public mutating func reset() {
    needed = 1
    heard = 1
    window.reset()
  }

  /// Lets the settings go on for frames of silence while it rests.
  @_noLocks @_noAllocation
  public mutating func skip(_ frameCount: Int) {
    ceiling.advance(by: UInt32(clamping: frameCount))
    var frame = 0
    while frame < frameCount && !isSteady {
      _ = nextGain()
      frame &+= 1
    }
  }

  // MARK: Process

  /// Makes gains of levels, in their place: a frame's gain is for the sound of `lookAheadFrames`
  /// before it.
  ///
  /// - Parameter levels: the loudest of all channels, 0 to 10⁶.
  /// - Complexity: O(count + look-ahead)
  @_noLocks @_noAllocation
  public mutating func process(_ levels: UnsafeMutablePointer<Float>, count: Int) {
    var frame = 0
    while frame < count && (ceiling.isRamping || !isSteady) {
      // The level meets the gain of its own frame, and what comes out that of its own.
      let before = nextGain()
      let limit = Self.limit(ceiling.next(), gain.value)
      levels[frame] = Self.gain(levels[frame], limit)
      lower(levels + frame, count: 1, times: before)
      frame &+= 1
    }
    if frame == count { return }
    let limit = Self.limit(ceiling.value, gain.value)
    let before = Float(BandShape.gain(decibels: gain.value))
    if isAtRest && isBelow(limit, levels + frame, count: count &- frame) {
      while frame < count {
        levels[frame] = before
        frame &+= 1
      }
      heard = 1
      return
    }
    var index = frame
    while index < count {
      levels[index] = Self.gain(levels[index], limit)
      index &+= 1
    }
    lower(levels + frame, count: count &- frame, times: before)
  }

  /// The loudest level that needs no lower gain.
  @_noLocks @_noAllocation @inline(__always)
  private static func limit(_ ceiling: Double, _ gain: Double) -> Float {
    // Four millionths of a decibel below it: seven numbers are rounded on the way.
    Float(BandShape.gain(decibels: ceiling)) / Float(BandShape.gain(decibels: gain))
      * (1 - 0x1p-21)
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func gain(_ level: Float, _ limit: Float) -> Float {
    level > limit ? limit / level : 1
  }

  @_noLocks @_noAllocation
  private func isBelow(
    _ limit: Float, _ levels: UnsafeMutablePointer<Float>, count: Int
  ) -> Bool {
    var highest: Float = 0
    var frame = 0
    while frame < count {
      highest = levels[frame] > highest ? levels[frame] : highest
      frame &+= 1
    }
    return highest <= limit
  }

  /// Makes of the gains that levels need those that are heard.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func lower(
    _ gains: UnsafeMutablePointer<Float>, count: Int, times before: Float
  ) {
    var (needed, heard, state) = (needed, heard, window.state)
    let (rising, kept) = (release + DynamicsTime.last, 1 - release)
    var frame = 0
    while frame < count {
      let risen = rising + needed * kept
      let value = Double(gains[frame])
      needed = risen < value ? risen : value
      heard = window.next(needed, &state)
      gains[frame] = Float(heard) * before
      frame &+= 1
    }
    (self.needed, self.heard, window.state) = (needed, heard, state)
  }

  /// Takes a frame of the gain before the limiter: that of the sample that comes out.
  @_noLocks @_noAllocation
  private mutating func nextGain() -> Float {
    steadyFrames = gain.isRamping ? 0 : steadyFrames &+ 1
    let coming = Float(BandShape.gain(decibels: gain.next()))
    if lookAheadFrames == 0 { return coming }
    let going = gains[place]
    gains[place] = coming
    place = place &+ 1 < lookAheadFrames ? place &+ 1 : 0
    return going
  }
}
