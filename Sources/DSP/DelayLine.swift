// A delay line: memory for the longest delay, read between its frames.

/// The past of one channel, as far back as the longest delay.
///
/// The memory is allocated once. A reset costs nothing: everything written before counts as
/// silence.
struct DelayLine: ~Copyable {
  /// The longest delay in frames.
  let maximumFrames: Int
  private let memory: UnsafeMutablePointer<Float>
  private let mask: Int
  private let sinc = SincInterpolation()
  private let weights: UnsafeMutablePointer<Float>
  /// The index of the next frame to write, before masking.
  private var cursor = 0
  /// Frames written since the last reset, at most as many as the memory holds.
  private var age = 0

  /// The shortest delay in frames: interpolation also needs a newer frame.
  static var minimumFrames: Int { @_noLocks @_noAllocation get { 2 } }

  /// - Parameter maximumFrames: the longest delay, at least `minimumFrames`.
  init(maximumFrames: Int) {
    self.maximumFrames = max(Self.minimumFrames, maximumFrames)
    let capacity = EffectSample.powerOfTwo(atLeast: self.maximumFrames + 2 + SincInterpolation.half)
    mask = capacity - 1
    memory = .allocate(capacity: capacity)
    memory.initialize(repeating: 0, count: capacity)
    weights = .allocate(capacity: SincInterpolation.count)
    weights.initialize(repeating: 0, count: SincInterpolation.count)
  }

  deinit {
    memory.deallocate()
    weights.deallocate()
  }

  /// Frames of zeros after which the line holds nothing else.
  var memoryFrames: Int { @_noLocks @_noAllocation get { mask &+ 1 } }

  @_noLocks @_noAllocation
  mutating func reset() { age = 0 }

  /// Writes the weights of a long point, for `longValue`.
  @_noLocks @_noAllocation
  func prepare(_ point: DelayPoint) { write(weights: point) }

  /// Returns the value at the long point that was prepared last.
  @_noLocks @_noAllocation @inline(__always)
  func longValue(_ point: DelayPoint) -> Float { long(point.newest) }

  /// Returns the value at a point before the frame that is written next.
  @_noLocks @_noAllocation @inline(__always)
  func value(_ point: DelayPoint) -> Float {
    if !point.isLong {
      let place = cursor &- point.whole
      if point.whole &+ 2 <= age { return point.between.value(memory, place, mask) }
      return point.between.value(
        heard(point.whole &- 1), heard(point.whole), heard(point.whole &+ 1),
        heard(point.whole &+ 2))
    }
    write(weights: point)
    return long(point.newest)
  }

  /// Returns the frame written `distance` frames ago; silence if that is before the last reset.
  @_noLocks @_noAllocation @inline(__always)
  private func heard(_ distance: Int) -> Float {
    distance <= age ? memory[(cursor &- distance) & mask] : 0
  }

  @_noLocks @_noAllocation @inline(__always)
  private func write(weights point: DelayPoint) {
    sinc.write(weights, fraction: point.fraction, part: point.part, short: point.between)
  }

  /// Returns the sum of weighted frames, the newest of them `newest` frames ago. Adds in fours,
  /// like `readLong`.
  @_noLocks @_noAllocation @inline(__always)
  private func long(_ newest: Int) -> Float {
    let oldest = newest &+ SincInterpolation.count &- 1
    let first = (cursor &- oldest) & mask
    if oldest > age || first &+ SincInterpolation.count &- 1 > mask { return heardLong(newest) }
    let source = memory + first
    var sum: Float = 0
    var tap = 0
    while tap < SincInterpolation.count {
      let at = SincInterpolation.count &- 1 &- tap
      let near = source[at] * weights[tap] + source[at &- 1] * weights[tap &+ 1]
      let far = source[at &- 2] * weights[tap &+ 2] + source[at &- 3] * weights[tap &+ 3]
      sum += near + far
      tap &+= 4
    }
    return sum
  }

  /// Returns the sum of `long` if the memory wraps, or frames are older than the last reset.
  @_noLocks @_noAllocation @inline(never)
  private func heardLong(_ newest: Int) -> Float {
    var sum: Float = 0
    var tap = 0
    while tap < SincInterpolation.count {
      let at = newest &+ tap
      let near = heard(at) * weights[tap] + heard(at &+ 1) * weights[tap &+ 1]
      let far = heard(at &+ 2) * weights[tap &+ 2] + heard(at &+ 3) * weights[tap &+ 3]
      sum += near + far
      tap &+= 4
    }
    return sum
  }

  /// Reads consecutive frames at a constant point.
  ///
  /// - Parameter count: frames, at most `point.newest`, so that all frames read were written
  ///   before.
  @_noLocks @_noAllocation
  func read(_ point: DelayPoint, to output: UnsafeMutablePointer<Float>, count: Int) {
    if point.isLong { return readLong(point, to: output, count: count) }
    let first = (cursor &- point.whole &- 2) & mask
    var frame = 0
    if point.whole &+ 2 <= age && first &+ count &+ 3 <= mask {
      // Without masking, so that neighbouring frames are read together.
      let source = memory + first
      while frame < count {
        output[frame] = point.between.value(
          source[frame &+ 3], source[frame &+ 2], source[frame &+ 1], source[frame])
        frame &+= 1
      }
      return
    }
    while frame < count {
      let whole = point.whole &- frame
      output[frame] = point.between.value(
        heard(whole &- 1), heard(whole), heard(whole &+ 1), heard(whole &+ 2))
      frame &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func readLong(
    _ point: DelayPoint, to output: UnsafeMutablePointer<Float>, count: Int
  ) {
    write(weights: point)
    let oldest = point.whole &+ SincInterpolation.half
    let first = (cursor &- oldest) & mask
    var frame = 0
    if oldest > age || first &+ count &+ SincInterpolation.count > mask {
      while frame < count {
        output[frame] = long(point.newest &- frame)
        frame &+= 1
      }
      return
    }
    while frame < count {
      output[frame] = 0
      frame &+= 1
    }
    var tap = 0
    while tap < SincInterpolation.count {
      let (a, b) = (weights[tap], weights[tap &+ 1])
      let (c, d) = (weights[tap &+ 2], weights[tap &+ 3])
      let source = memory + (first &+ SincInterpolation.count &- 4 &- tap)
      frame = 0
      while frame < count {
        let near = source[frame &+ 3] * a + source[frame &+ 2] * b
        let far = source[frame &+ 1] * c + source[frame] * d
        output[frame] += near + far
        frame &+= 1
      }
      tap &+= 4
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func write(_ sample: Float) {
    memory[cursor & mask] = sample
    cursor &+= 1
    if age <= mask { age &+= 1 }
  }

  @_noLocks @_noAllocation
  mutating func write(_ samples: UnsafePointer<Float>, count: Int) {
    let place = cursor & mask
    let part = min(count, mask &+ 1 &- place)
    var frame = 0
    while frame < part {
      memory[place &+ frame] = samples[frame]
      frame &+= 1
    }
    while frame < count {
      memory[frame &- part] = samples[frame]
      frame &+= 1
    }
    cursor &+= count
    age = min(mask &+ 1, age &+ count)
  }
}

/// A delay as a whole number of frames, and the weights of the frames around its fraction.
///
/// The weights are those of `SincInterpolation` from 16 frames on, and below 14 those of
/// `CubicInterpolation`. The latter's loss in the middle between two frames, at 48 kHz, is 1.0 dB
/// at 12 kHz and 8.4 dB at 20 kHz. From 14 to 16 frames the two are blended.
struct DelayPoint {
  let whole: Int
  let fraction: Float
  let between: CubicInterpolation
  /// The share of the long weights, 0 to 1.
  let part: Float

  /// - Parameter frames: at least `DelayLine.minimumFrames`.
  @_noLocks @_noAllocation @inline(__always)
  init(frames: Double) {
    whole = Int(saturating: frames)
    fraction = Float(frames - Double(whole))
    between = CubicInterpolation(fraction: fraction)
    let beyond = Float(frames - Double(SincInterpolation.half)) * 0.5
    // A whole frame needs no others.
    part = fraction == 0 || beyond <= 0 ? 0 : min(beyond, 1)
  }

  var isLong: Bool { @_noLocks @_noAllocation @inline(__always) get { part > 0 } }

  /// The age in frames of the newest frame that is needed.
  var newest: Int {
    @_noLocks @_noAllocation @inline(__always) get {
      whole &- (isLong ? SincInterpolation.half &- 1 : 1)
    }
  }
}
