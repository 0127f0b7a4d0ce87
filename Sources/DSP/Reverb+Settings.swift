// A reverb's settings: their gains, and their transitions.

import Realtime

extension Reverb {
  /// Returns the time in which the sound decays by 60 dB, in seconds: 0.7 for a room of 0, 12.5 for
  /// one of 1.
  ///
  /// 1/T = 1.43 − 1.97 · room + 0.62 · room², which is close to FluidSynth's. Damping shortens it
  /// at all frequencies above the lowest.
  /// - Thread: [any]
  @_noLocks @_noAllocation
  public static func decaySeconds(roomSize: Double) -> Double {
    let room = held(roomSize, 0, 1)
    return 1 / (1.43 - 1.97 * room + 0.62 * room * room)
  }

  /// Returns the time of a decay by 96 dB, in seconds, after which nothing is audible.
  /// - Thread: [any]
  @_noLocks @_noAllocation
  public static func tailSeconds(roomSize: Double) -> Double {
    decaySeconds(roomSize: roomSize) * 1.6
  }

  /// Sets the room, 0 to 1; its decay is reached within 20 ms.
  @_noLocks @_noAllocation
  public mutating func setRoomSize(_ size: Double) {
    settings.roomSize = Self.held(size, 0, 1)
    settings.decaySeconds = nil
    aim()
    moveCoefficients()
  }

  /// Sets the time in which the sound decays by 60 dB, instead of the room, 0.1 to 30 seconds. It
  /// is reached within 20 ms.
  @_noLocks @_noAllocation
  public mutating func setDecay(seconds: Double) {
    settings.decaySeconds = Self.held(seconds, 0.1, 30)
    aim()
    moveCoefficients()
  }

  /// Sets the damping, 0 to 1; it is reached within 20 ms.
  ///
  /// The decay of the highest frequency is (1 − 0.95 · damping) times that of the lowest.
  @_noLocks @_noAllocation
  public mutating func setDamping(_ damping: Double) {
    settings.damping = Self.held(damping, 0, 1)
    aim()
    moveCoefficients()
  }

  /// Starts a ramp of the width, 0 to 100; see `LinearRamp.start(to:overFrames:)`.
  @_noLocks @_noAllocation
  public mutating func rampWidth(to value: Double, overFrames frames: UInt32) {
    width.start(to: Self.held(value, 0, 100), overFrames: frames)
  }

  /// Starts a ramp of the level, a linear gain from 0 to 1; see `LinearRamp.start(to:overFrames:)`.
  @_noLocks @_noAllocation
  public mutating func rampLevel(to value: Double, overFrames frames: UInt32) {
    level.start(to: Self.held(value, 0, 1), overFrames: frames)
  }

  /// Applies settings at once, without a transition. Sound in the room continues.
  @_noLocks @_noAllocation
  public mutating func set(immediately settings: Settings) {
    self.settings.roomSize = Self.held(settings.roomSize, 0, 1)
    self.settings.decaySeconds = nil
    if let seconds = settings.decaySeconds {
      self.settings.decaySeconds = Self.held(seconds, 0.1, 30)
    }
    self.settings.damping = Self.held(settings.damping, 0, 1)
    level.set(immediately: Self.held(settings.level, 0, 1))
    width.set(immediately: Self.held(settings.width, 0, 100))
    aim()
    remainingFrames = 0
    var index = 0
    while index < 2 &* Self.lineCount {
      coefficients[index] = targets[index]
      index &+= 1
    }
    setOutputGains()
  }

  /// Returns the current level, for publishing; see `LinearRamp.takeReading()`.
  @_noLocks @_noAllocation
  public mutating func takeLevelReading() -> Double? { level.takeReading() }

  /// Returns the current width, for publishing; see `LinearRamp.takeReading()`.
  @_noLocks @_noAllocation
  public mutating func takeWidthReading() -> Double? { width.takeReading() }

  /// Advances the settings over frames of silence, while the reverb is silent.
  @_noLocks @_noAllocation
  public mutating func skip(_ frameCount: Int) {
    if level.isRamping || width.isRamping {
      level.advance(by: UInt32(clamping: frameCount))
      width.advance(by: UInt32(clamping: frameCount))
      setOutputGains()
    }
    if remainingFrames > 0 && frameCount > 0 {
      remainingFrames &-= min(remainingFrames, UInt32(clamping: frameCount)) &- 1
      stepCoefficients()
    }
  }

  /// Clears the audio state and the lines' motion. The settings jump to the end of their ramps.
  /// - Complexity: O(memory)
  @_noLocks @_noAllocation
  public mutating func reset() {
    (cosine, sine) = (1, 0)
    skip(Int(UInt32.max))
    if isSilent { return }
    var index = 0
    while index < ringDistance &* (Self.lineCount &+ Self.diffuserCount) {
      memory[index] = 0
      index &+= 1
    }
    index = 0
    while index < Self.lineCount {
      states[index] = 0
      index &+= 1
    }
    isSilent = true
  }

  /// Sets the gains from the lines' sums to the output: mid and side, with a power that does not
  /// depend on the width.
  @_noLocks @_noAllocation
  mutating func setOutputGains() {
    // A measured factor: at the defaults the reverb is as loud as FluidSynth's.
    let loudness = 1.08
    let power = RealtimeMath.squareRoot(2 / (1 + width.value * width.value))
    midGain = Float(loudness * level.value * power)
    sideGain = Float(loudness * level.value * power * width.value)
  }

  /// Moves to the next frame's coefficients.
  @_noLocks @_noAllocation
  mutating func stepCoefficients() {
    remainingFrames &-= 1
    let part = 1 - Float(remainingFrames) / Float(level.deZipperFrames)
    var index = 0
    while index < 2 &* Self.lineCount {
      coefficients[index] =
        remainingFrames == 0
        ? targets[index] : origins[index] + (targets[index] - origins[index]) * part
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func moveCoefficients() {
    var index = 0
    while index < 2 &* Self.lineCount {
      origins[index] = coefficients[index]
      index &+= 1
    }
    remainingFrames = level.deZipperFrames
  }

  /// Sets each line's target gain and pole for the room. In the time a sound takes through the
  /// line, the lowest frequency decays by its share of 60 dB, and the highest by more.
  @_noLocks @_noAllocation
  private func aim() {
    let seconds = settings.decaySeconds ?? Self.decaySeconds(roomSize: settings.roomSize)
    let decay = seconds * sampleRate
    let highDecay = decay * (1 - 0.95 * settings.damping)
    // 3 · log2(10)
    let fall = -9.965_784_284_662_087
    var line = 0
    while line < Self.lineCount {
      let frames = Double(lengths[line]) + Double(reach)
      let gain = RealtimeMath.powerOfTwo(fall * frames / decay)
      let ratio = RealtimeMath.powerOfTwo(fall * frames / highDecay) / gain
      let pole = (1 - ratio) / (1 + ratio)
      targets[line] = Float(gain * (1 - pole))
      targets[Self.lineCount &+ line] = Float(pole)
      line &+= 1
    }
  }

  /// Returns a setting limited to its range; NaN becomes its low end.
  @_noLocks @_noAllocation
  private static func held(_ value: Double, _ low: Double, _ high: Double) -> Double {
    value > low ? (value < high ? value : high) : low
  }
}
