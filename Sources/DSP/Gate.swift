// A gate: from the level of a sound to its gain.

import Realtime

/// A gain computer: it turns levels into gains, one for all channels together. The levels can be
/// those of the gated sound or of another one.
///
/// The gate opens on the frame on which the level reaches the threshold. It shuts once the level
/// has been more than 3 dB below it for the hold time. While open, the gain moves to 0 dB with the
/// attack, while shut, to the range with the release. In these times the remaining distance, in
/// linear gain, decays to 1/e.
///
/// The threshold and the range ramp. The gains are a pure function of levels, settings and frame:
/// bit-identical however a stretch of frames is divided into calls.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct Gate: ~Copyable {
  /// The settings of a gate.
  public struct Settings: Sendable, BitwiseCopyable {
    public var thresholdDecibels = -40.0
    /// The gain while the gate is shut, at most 0.
    public var rangeDecibels = -80.0
    public var attackMilliseconds = 1.0
    public var holdMilliseconds = 50.0
    public var releaseMilliseconds = 150.0

    @_noLocks @_noAllocation
    public init() {}

    /// Returns the gain in decibels of a steady level that was lower before, so that the gate is
    /// shut below the threshold. One that was open shuts 3 dB lower.
    @_noLocks @_noAllocation
    public func gainDecibels(ofLevel decibels: Double) -> Double {
      decibels >= thresholdDecibels ? 0 : rangeDecibels
    }
  }

  /// Frames per second.
  public let sampleRate: Double
  /// The threshold in decibels.
  public var threshold: LinearRamp
  /// The gain while the gate is shut, in decibels.
  public var range: LinearRamp
  private var attack: Double
  private var release: Double
  private var holdFrames: Int
  private var gain: Double
  private var isOpen = false
  /// Frames for which the level has been low while the gate is open.
  private var lowFrames = 0

  /// Creates a shut gate.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, finite and above zero.
  ///   - settings: the initial settings.
  public init(sampleRate: Double, settings: Settings = Settings()) {
    precondition(sampleRate > 0 && sampleRate.isFinite)
    self.sampleRate = sampleRate
    threshold = LinearRamp(value: settings.thresholdDecibels, sampleRate: sampleRate)
    range = LinearRamp(value: settings.rangeDecibels, sampleRate: sampleRate)
    attack = DynamicsTime.part(
      milliseconds: settings.attackMilliseconds, sampleRate: sampleRate)
    release = DynamicsTime.part(
      milliseconds: settings.releaseMilliseconds, sampleRate: sampleRate)
    holdFrames = Self.frames(settings.holdMilliseconds, sampleRate)
    gain = BandShape.gain(decibels: settings.rangeDecibels)
  }

  @_noLocks @_noAllocation
  private static func frames(_ milliseconds: Double, _ sampleRate: Double) -> Int {
    Int(saturating: milliseconds / 1000 * sampleRate + 0.5)
  }

  // MARK: Set

  @_noLocks @_noAllocation
  public mutating func setAttack(milliseconds: Double) {
    attack = DynamicsTime.part(milliseconds: milliseconds, sampleRate: sampleRate)
  }

  @_noLocks @_noAllocation
  public mutating func setHold(milliseconds: Double) {
    holdFrames = Self.frames(milliseconds, sampleRate)
  }

  @_noLocks @_noAllocation
  public mutating func setRelease(milliseconds: Double) {
    release = DynamicsTime.part(milliseconds: milliseconds, sampleRate: sampleRate)
  }

  // MARK: Read

  /// The reduction of the last gain, in decibels.
  public var reductionDecibels: Double {
    @_noLocks @_noAllocation get { gain < 1 ? Double(-Decibels.of(Float(max(gain, 1e-10)))) : 0 }
  }

  /// Whether the gate is fully shut, so that silence changes nothing.
  public var isAtRest: Bool {
    @_noLocks @_noAllocation get {
      !isOpen && !range.isRamping && gain == BandShape.gain(decibels: range.value)
    }
  }

  /// Shuts the gate at once; settings and their ramps continue.
  @_noLocks @_noAllocation
  public mutating func reset() {
    gain = BandShape.gain(decibels: range.value)
    isOpen = false
    lowFrames = 0
  }

  /// Advances the settings over frames of silence at rest.
  @_noLocks @_noAllocation
  public mutating func skip(_ frameCount: Int) {
    threshold.advance(by: UInt32(clamping: frameCount))
    range.advance(by: UInt32(clamping: frameCount))
  }

  // MARK: Process

  /// Replaces levels by gains.
  ///
  /// - Parameter levels: the level of the loudest channel, at least 0.
  /// - Complexity: O(count)
  @_noLocks @_noAllocation
  public mutating func process(_ levels: UnsafeMutablePointer<Float>, count: Int) {
    var frame = 0
    while frame < count {
      let isMoving = threshold.isRamping || range.isRamping
      let open = Float(BandShape.gain(decibels: threshold.next()))
      let shut = BandShape.gain(decibels: range.next())
      let end = isMoving ? frame &+ 1 : count
      process(levels + frame, count: end &- frame, open: open, shut: shut)
      frame = end
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  private mutating func process(
    _ levels: UnsafeMutablePointer<Float>, count: Int, open: Float, shut: Double
  ) {
    // 3 dB below the threshold.
    let low = open * 0.707_945_8
    var (gain, isOpen, lowFrames) = (gain, isOpen, lowFrames)
    let (opening, closing) = (attack + DynamicsTime.last, shut * release - DynamicsTime.last)
    let (keptOpen, keptShut) = (1 - attack, 1 - release)
    var frame = 0
    while frame < count {
      let level = levels[frame]
      if level >= open {
        isOpen = true
        lowFrames = 0
      } else if isOpen {
        lowFrames = level >= low ? 0 : lowFrames &+ 1
        if lowFrames > holdFrames { isOpen = false }
      }
      if isOpen {
        let next = opening + gain * keptOpen
        gain = next < 1 ? next : 1
      } else {
        let next = closing + gain * keptShut
        gain = next > shut ? next : shut
      }
      levels[frame] = Float(gain)
      frame &+= 1
    }
    (self.gain, self.isOpen, self.lowFrames) = (gain, isOpen, lowFrames)
  }
}
