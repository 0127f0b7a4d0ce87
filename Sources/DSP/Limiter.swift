// A limiter: from the level of a sound to the gain that keeps it below a ceiling.

public import Realtime

/// A gain computer: it turns levels into gains, one for all channels together. The levels can be
/// those of the limited sound or of another one.
///
/// The sound first gets a gain, and then has no sample above the ceiling. The limiter's gain is the
/// lowest that any sample within the look-ahead needs, and is reached along straight lines no
/// longer than that. It rises again with the release, the time in which the remaining distance
/// decays to 1/e. Without a look-ahead it is reached on the sample's own frame.
///
/// The gain and the ceiling ramp; a sample gets those of its input frame. The gains are a pure
/// function of levels, settings and frame: bit-identical however a stretch of frames is divided
/// into calls.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct Limiter: ~Copyable {
  /// The settings of a limiter.
  public struct Settings: Sendable, BitwiseCopyable {
    /// The gain before the limiter.
    public var gainDecibels = 0.0
    public var ceilingDecibels = -1.0
    public var releaseMilliseconds = 100.0
    /// The delay of the sound after its level, in frames, up to 2²⁰ − 1.
    public var lookAheadFrames = 0
    /// The delay of levels after their samples, in frames.
    public var lateFrames = 0

    @_noLocks @_noAllocation
    public init() {}

    /// Returns the gain in decibels of a steady level: the gain before the limiter, and its own.
    @_noLocks @_noAllocation
    public func gainDecibels(ofLevel decibels: Double) -> Double {
      let level = Decibels.amplitude(Float(decibels))
      let lowered = Limiter.gain(level, Limiter.limit(ceilingDecibels, gainDecibels))
      return gainDecibels + Double(Decibels.of(lowered))
    }
  }

  /// Frames per second.
  public let sampleRate: Double
  public let lookAheadFrames: Int
  private var gain: LinearRamp
  /// The ceiling in decibels.
  public var ceiling: LinearRamp
  private var release: Double
  /// The needed gain, which rises with the release, and the gain of the last frame.
  private var needed = 1.0
  private var heard = 1.0
  private var window: LowestGain
  /// The gains of the delayed frames, from `place` on, and the frames for which they have been
  /// constant.
  private let gains: UnsafeMutablePointer<Float>
  private var place = 0
  private var steadyFrames: Int

  /// Creates a limiter without a reduction, and allocates all its memory.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, finite and above zero.
  ///   - settings: the initial settings; the look-ahead is fixed.
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

  /// Ramps the gain, in decibels.
  @_noLocks @_noAllocation
  public mutating func gain(_ request: ParameterRequest) -> Double? {
    guard case .start = request else { return gain.takeReading() }
    if isSteady {
      // The gains were not written while they were constant.
      let rest = Float(BandShape.gain(decibels: gain.value))
      var index = 0
      while index < lookAheadFrames {
        gains[index] = rest
        index &+= 1
      }
    }
    _ = gain.answer(request)
    if gain.isRamping { steadyFrames = 0 }
    return nil
  }

  @_noLocks @_noAllocation
  public mutating func setRelease(milliseconds: Double) {
    release = DynamicsTime.part(milliseconds: milliseconds, sampleRate: sampleRate)
  }

  /// Sets the delay of levels after their samples, in frames. The gain is reached as many frames
  /// earlier, at most by the look-ahead.
  /// - Complexity: O(look-ahead)
  @_noLocks @_noAllocation
  public mutating func setLate(frames: Int) { window.setLate(frames: frames) }

  // MARK: Read

  /// The reduction of the last gain, in decibels.
  public var reductionDecibels: Double {
    @_noLocks @_noAllocation get { heard < 1 ? Double(-Decibels.of(Float(max(heard, 1e-10)))) : 0 }
  }

  /// Whether the gain is not lowered, and silence keeps it so.
  public var isAtRest: Bool { @_noLocks @_noAllocation get { needed == 1 && window.isOpen } }

  /// Whether the gain has been constant for the length of the look-ahead.
  private var isSteady: Bool {
    @_noLocks @_noAllocation get { !gain.isRamping && steadyFrames >= lookAheadFrames }
  }

  /// Clears the levels; settings and their ramps continue.
  /// - Complexity: O(look-ahead)
  @_noLocks @_noAllocation
  public mutating func reset() {
    needed = 1
    heard = 1
    window.reset()
  }

  /// Advances the settings over frames of silence at rest.
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

  /// Replaces levels by gains. A frame's gain is for the sound `lookAheadFrames` before it.
  ///
  /// - Parameter levels: the level of the loudest channel, 0 to 10⁶.
  /// - Complexity: O(count + look-ahead)
  @_noLocks @_noAllocation
  public mutating func process(_ levels: UnsafeMutablePointer<Float>, count: Int) {
    var frame = 0
    while frame < count && (ceiling.isRamping || !isSteady) {
      // The level counts with the gain of its own frame, and the output has that of its own.
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

  /// Returns the highest level that needs no lower gain.
  @_noLocks @_noAllocation @inline(__always)
  fileprivate static func limit(_ ceiling: Double, _ gain: Double) -> Float {
    // Four millionths of a decibel lower, as seven numbers are rounded on the way.
    Float(BandShape.gain(decibels: ceiling)) / Float(BandShape.gain(decibels: gain))
      * (1 - 0x1p-21)
  }

  @_noLocks @_noAllocation @inline(__always)
  fileprivate static func gain(_ level: Float, _ limit: Float) -> Float {
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

  /// Replaces the gains that levels need by the limiter's gains.
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

  /// Advances the gain before the limiter by a frame, and returns that of the output sample.
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
