// How a reverb's settings become gains, and how they move.

extension Reverb {
  /// The time in which the sound falls by 60 dB, in seconds: 0.7 for a room of 0, 12.5 for one of
  /// 1.
  ///
  /// 1/T = 1.43 − 1.97 · room + 0.62 · room², which is close to FluidSynth's. At other frequencies
  /// than the lowest, damping makes it shorter.
  /// - Thread: [any]
  @_noLocks @_noAllocation
  public static func decaySeconds(roomSize: Double) -> Double {
    let room = held(roomSize, 0, 1)
    return 1 / (1.43 - 1.97 * room + 0.62 * room * room)
  }

  /// The time after which nothing is heard any more, in seconds: that of a fall by 96 dB.
  /// - Thread: [any]
  @_noLocks @_noAllocation
  public static func tailSeconds(roomSize: Double) -> Double {
    decaySeconds(roomSize: roomSize) * 1.6
  }

  /// Sets the room, 0 to 1; the decay moves to it within 20 ms.
  @_noLocks @_noAllocation
  public mutating func setRoomSize(_ size: Double) {
    settings.roomSize = Self.held(size, 0, 1)
    settings.decaySeconds = nil
    aim()
    moveCoefficients()
  }

  /// Sets the time in which the sound falls by 60 dB in place of the room, 0.1 to 30 seconds; the
  /// decay moves to it within 20 ms.
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

  /// Starts to move the width, 0 to 100; see `LinearRamp.start(to:overFrames:)`.
  @_noLocks @_noAllocation
  public mutating func rampWidth(to value: Double, overFrames frames: UInt32) {
    width.start(to: Self.held(value, 0, 100), overFrames: frames)
  }

  /// Starts to move the level, a linear gain from 0 to 1; see `LinearRamp.start(to:overFrames:)`.
  @_noLocks @_noAllocation
  public mutating func rampLevel(to value: Double, overFrames frames: UInt32) {
    level.start(to: Self.held(value, 0, 1), overFrames: frames)
  }

  /// Rests at settings at once; what sounds goes on.
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

  /// What a reader of the level is to be told; see `LinearRamp.takeReading()`.
  @_noLocks @_noAllocation
  public mutating func takeLevelReading() -> Double? { level.takeReading() }

  /// What a reader of the width is to be told; see `LinearRamp.takeReading()`.
  @_noLocks @_noAllocation
  public mutating func takeWidthReading() -> Double? { width.takeReading() }

  /// Lets the settings go on for frames of silence, while the reverb is silent.
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

  /// Forgets what sounds, and begins as it was made. The settings stay, where their ramps end.
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

  /// What makes the output of the lines' sums: mid and side, so that the power does not depend on
  /// the width.
  @_noLocks @_noAllocation
  mutating func setOutputGains() {
    // Found by measuring: at the defaults it is then as loud as FluidSynth's reverb.
    let loudness = 1.08
    let power = Vouched.squareRoot(2 / (1 + width.value * width.value))
    midGain = Float(loudness * level.value * power)
    sideGain = Float(loudness * level.value * power * width.value)
  }

  /// Goes on to the next frame's coefficients.
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

  /// Each line's gain and pole for the room: in the time a sound takes through the line, the lowest
  /// frequency falls by its part of 60 dB, and the highest by more.
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
      let gain = Vouched.powerOfTwo(fall * frames / decay)
      let ratio = Vouched.powerOfTwo(fall * frames / highDecay) / gain
      let pole = (1 - ratio) / (1 + ratio)
      targets[line] = Float(gain * (1 - pole))
      targets[Self.lineCount &+ line] = Float(pole)
      line &+= 1
    }
  }

  /// A setting held to its range; NaN to its low end.
  @_noLocks @_noAllocation
  private static func held(_ value: Double, _ low: Double, _ high: Double) -> Double {
    value > low ? (value < high ? value : high) : low
  }
}
