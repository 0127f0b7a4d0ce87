// A compressor: from the level of a sound to its gain.

import Realtime

/// A gain computer: it turns levels into gains, one for all channels together. The levels can be
/// those of the compressed sound or of another one.
///
/// With the level L, the threshold T, the knee W in decibels and the ratio R, the gain is lowered
/// by 0 dB below T − W/2, by (1 − 1/R)(L − T) above T + W/2, and by (1 − 1/R)(L − T + W/2)² / (2 W)
/// between. The reduction rises with the attack, and falls with the release followed by the attack.
/// In these times the remaining distance, in decibels, decays to 1/e. (The smooth decoupled
/// detector of D. Giannoulis et al., Digital Dynamic Range Compressor Design, JAES 2012, which
/// measures a tone by its peaks.) The make-up gain is added last.
///
/// Threshold, ratio, knee and make-up ramp. The gains are a pure function of levels, settings and
/// frame: bit-identical however a stretch of frames is divided into calls.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct Compressor: ~Copyable {
  /// The settings of a compressor.
  public struct Settings: Sendable, BitwiseCopyable {
    public var thresholdDecibels = -20.0
    /// The ratio, at least 1.
    public var ratio = 4.0
    /// The knee, at least 0.
    public var kneeDecibels = 6.0
    public var attackMilliseconds = 10.0
    public var releaseMilliseconds = 120.0
    public var makeUpDecibels = 0.0

    @_noLocks @_noAllocation
    public init() {}

    /// Returns the gain in decibels of a steady level, with the make-up.
    @_noLocks @_noAllocation
    public func gainDecibels(ofLevel decibels: Double) -> Double {
      let curve = Curve(thresholdDecibels, ratio, kneeDecibels)
      return makeUpDecibels - Double(curve.lowered(Decibels.amplitude(Float(decibels))))
    }
  }

  /// Frames per second.
  public let sampleRate: Double
  /// The threshold in decibels.
  public var threshold: LinearRamp
  /// The ratio, at least 1.
  public var ratio: LinearRamp
  /// The knee in decibels.
  public var knee: LinearRamp
  /// The make-up gain in decibels.
  public var makeUp: LinearRamp
  private var attack: Double
  private var release: Double
  /// The current reduction in decibels, and the one without an attack.
  private var lowered = 0.0
  private var wanted = 0.0

  /// Creates a compressor without a reduction.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, finite and above zero.
  ///   - settings: the initial settings.
  public init(sampleRate: Double, settings: Settings = Settings()) {
    precondition(sampleRate > 0 && sampleRate.isFinite)
    self.sampleRate = sampleRate
    threshold = LinearRamp(value: settings.thresholdDecibels, sampleRate: sampleRate)
    ratio = LinearRamp(value: settings.ratio, sampleRate: sampleRate)
    knee = LinearRamp(value: settings.kneeDecibels, sampleRate: sampleRate)
    makeUp = LinearRamp(value: settings.makeUpDecibels, sampleRate: sampleRate)
    attack = DynamicsTime.part(
      milliseconds: settings.attackMilliseconds, sampleRate: sampleRate)
    release = DynamicsTime.part(
      milliseconds: settings.releaseMilliseconds, sampleRate: sampleRate)
  }

  // MARK: Set

  @_noLocks @_noAllocation
  public mutating func setAttack(milliseconds: Double) {
    attack = DynamicsTime.part(milliseconds: milliseconds, sampleRate: sampleRate)
  }

  @_noLocks @_noAllocation
  public mutating func setRelease(milliseconds: Double) {
    release = DynamicsTime.part(milliseconds: milliseconds, sampleRate: sampleRate)
  }

  // MARK: Read

  /// The reduction of the last gain, in decibels.
  public var reductionDecibels: Double { @_noLocks @_noAllocation get { lowered } }

  /// Whether the gain is not lowered, and silence keeps it so.
  public var isAtRest: Bool { @_noLocks @_noAllocation get { wanted == 0 && lowered == 0 } }

  /// Clears the levels; settings and their ramps continue.
  @_noLocks @_noAllocation
  public mutating func reset() {
    lowered = 0
    wanted = 0
  }

  /// Advances the settings over frames of silence at rest.
  @_noLocks @_noAllocation
  public mutating func skip(_ frameCount: Int) {
    let frames = UInt32(clamping: frameCount)
    threshold.advance(by: frames)
    ratio.advance(by: frames)
    knee.advance(by: frames)
    makeUp.advance(by: frames)
  }

  // MARK: Process

  /// Replaces levels by gains.
  ///
  /// - Parameter levels: the level of the loudest channel, 0 to 10⁶.
  /// - Complexity: O(count)
  @_noLocks @_noAllocation
  public mutating func process(_ levels: UnsafeMutablePointer<Float>, count: Int) {
    lowerByCurve(levels, count: count)
    smooth(levels, count: count)
    var frame = 0
    while frame < count && makeUp.isRamping {
      levels[frame] = Decibels.amplitude(Float(makeUp.next()) - levels[frame])
      frame &+= 1
    }
    let rest = Float(makeUp.value)
    while frame < count {
      levels[frame] = Decibels.amplitude(rest - levels[frame])
      frame &+= 1
    }
  }

  /// Replaces levels by the reductions of the static curve, in decibels.
  @_noLocks @_noAllocation
  private mutating func lowerByCurve(_ levels: UnsafeMutablePointer<Float>, count: Int) {
    var frame = 0
    while frame < count && (threshold.isRamping || ratio.isRamping || knee.isRamping) {
      let curve = Curve(threshold.next(), ratio.next(), knee.next())
      levels[frame] = curve.lowered(levels[frame])
      frame &+= 1
    }
    let curve = Curve(threshold.value, ratio.value, knee.value)
    while frame < count {
      levels[frame] = curve.lowered(levels[frame])
      frame &+= 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func smooth(_ values: UnsafeMutablePointer<Float>, count: Int) {
    let (keptWanted, keptLowered) = (1 - release, 1 - attack)
    var (wanted, lowered) = (wanted, lowered)
    var frame = 0
    while frame < count {
      let value = Double(values[frame])
      let released = (value * release - DynamicsTime.last) + wanted * keptWanted
      wanted = released > value ? released : value
      let next = (wanted * attack - DynamicsTime.last) + lowered * keptLowered
      lowered = next > 0 ? next : 0
      values[frame] = Float(lowered)
      frame &+= 1
    }
    self.wanted = wanted
    self.lowered = lowered
  }

  /// The static curve.
  private struct Curve {
    let slope: Float
    let knee: Float
    /// The lowest level that is lowered, in decibels.
    let start: Float
    /// 1 / (2 W)
    let bend: Float

    @_noLocks @_noAllocation @inline(__always)
    init(_ threshold: Double, _ ratio: Double, _ knee: Double) {
      slope = Float(1 - 1 / ratio)
      self.knee = Float(knee)
      start = Float(threshold - knee / 2)
      bend = knee > 0 ? Float(0.5 / knee) : 0
    }

    @_noLocks @_noAllocation @inline(__always)
    func lowered(_ level: Float) -> Float {
      // Levels below −200 dB count as −200 dB.
      let over = Decibels.of(level > 1e-10 ? level : 1e-10) - start
      let rising = over > 0 ? over : 0
      let bent = rising < knee ? rising : knee
      // Beyond the knee, its bend amounts to W / 2.
      let half = bent * bent * bend
      let beyond = rising - knee
      let linear = beyond > 0 ? beyond : 0
      return slope * (half + linear)
    }
  }
}
