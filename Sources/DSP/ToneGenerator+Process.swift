// The tone generator's loop over frames, eight at once.

extension ToneGenerator {
  /// Renders `frameCount` frames.
  /// - Complexity: O(frames × harmonics), of which there are up to 24 kHz / frequency; an idle
  ///   generator costs no more than writing silence.
  @_noLocks @_noAllocation
  public mutating func process(_ output: UnsafeMutablePointer<Float>, frameCount: Int) {
    var frame = 0
    while frame < frameCount {
      if isIdle {
        while frame < frameCount {
          output[frame] = 0
          if isMoving { stepSettings() }
          frame &+= 1
        }
        return
      }
      followWave()
      // A change of the wave ends with a block, so that the next one can begin there.
      let changing = waveFrames > 0 ? Int(min(8, waveFrames)) : 8
      let count = min(changing, frameCount &- frame)
      processBlock(output + frame, count)
      frame &+= count
    }
  }

  /// Whether a setting is ramping.
  private var isMoving: Bool {
    @_noLocks @_noAllocation get {
      tuning.isRamping || fine.isRamping || frequency.isRamping || amplitude.isRamping
    }
  }

  /// Advances all settings by one frame.
  @_noLocks @_noAllocation
  private mutating func stepSettings() {
    amplitude.advance(by: 1)
    if tuning.isRamping || fine.isRamping || frequency.isRamping {
      tuning.advance(by: 1)
      fine.advance(by: 1)
      frequency.advance(by: 1)
      aim()
    }
  }

  /// Updates the increment to the current pitch.
  @_noLocks @_noAllocation
  mutating func aim() {
    let hertz =
      switch source {
      case .key:
        Pitch.frequency(
          ofKey: Double(key) + bend + fine.value * 0.01, a4: tuning.value)
      case .frequency: frequency.value
      }
    turnsPerFrame = min(hertz / sampleRate, 0.999)
    increment = UInt64(truncatingIfNeeded: Int(saturating: turnsPerFrame * 0x1p62)) << 2
  }

  @_noLocks @_noAllocation
  private mutating func processBlock(_ output: UnsafeMutablePointer<Float>, _ count: Int) {
    let rows = UnsafeMutableRawPointer(lanes).assumingMemoryBound(to: Double.self)
    lanes[1] = HarmonicSeries.Lanes(repeating: turnsPerFrame)
    var (lowest, highest) = (Double.infinity, 0.0)
    let isChanging = waveFrames > 0
    var lane = 0
    while lane < count {
      if isMoving { stepSettings() }
      rows[lane] = Double(Int64(bitPattern: phase)) * 0x1p-64
      rows[lane &+ 8] = turnsPerFrame
      lowest = min(lowest, turnsPerFrame)
      highest = max(highest, turnsPerFrame)
      rows[lane &+ 16] = isIdle ? 0 : stepEnvelope() * amplitude.value
      if waveFrames > 0 {
        waveFrames &-= 1
        rows[lane &+ 24] = Double(waveFrames) / Double(amplitude.deZipperFrames)
      }
      phase &+= increment
      lane &+= 1
    }
    var values = series.values(
      wave, turns: lanes[0], frequency: lanes[1], range: (lowest, highest))
    if isChanging {
      let next = series.values(
        nextWave, turns: lanes[0], frequency: lanes[1], range: (lowest, highest))
      values = next + (values - next) * lanes[3]
      if waveFrames == 0 { wave = nextWave }
    }
    lanes[0] = values * lanes[2]
    lane = 0
    while lane < count {
      // Adding 0 makes −0 positive.
      output[lane] = Float(rows[lane]) + 0
      lane &+= 1
    }
  }

  /// Starts a crossfade if another wave is wanted and none is running.
  @_noLocks @_noAllocation
  private mutating func followWave() {
    if waveFrames > 0 || wave.number == wantedWave.number { return }
    nextWave = wantedWave
    waveFrames = amplitude.deZipperFrames
  }
}
