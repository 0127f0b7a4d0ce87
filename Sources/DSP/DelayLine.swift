// A delay line: memory for the longest delay, read between its frames.

/// One channel's past, as far back as the longest delay.
///
/// The memory is allocated once. A reset costs nothing: what was written before counts as silence.
struct DelayLine: ~Copyable {
  /// The longest delay in frames.
  let maximumFrames: Int
  private let memory: UnsafeMutablePointer<Float>
  private let mask: Int
  /// Where the next frame is written, before masking.
  private var cursor = 0
  /// How many frames were written since the last reset, no more than the memory holds.
  private var age = 0

  /// The shortest delay in frames: what is read lies behind the newest frame of its interpolation.
  static var minimumFrames: Int { @_noLocks @_noAllocation get { 2 } }

  /// - Parameter maximumFrames: the longest delay, at least `minimumFrames`.
  init(maximumFrames: Int) {
    self.maximumFrames = max(Self.minimumFrames, maximumFrames)
    let capacity = EffectSample.powerOfTwo(atLeast: self.maximumFrames + 4)
    mask = capacity - 1
    memory = .allocate(capacity: capacity)
    memory.initialize(repeating: 0, count: capacity)
  }

  deinit { memory.deallocate() }

  /// For how many frames of zeros it holds nothing else.
  var memoryFrames: Int { @_noLocks @_noAllocation get { mask &+ 1 } }

  @_noLocks @_noAllocation
  mutating func reset() { age = 0 }

  /// The value at a point before the frame that is written next.
  @_noLocks @_noAllocation @inline(__always)
  func value(_ point: DelayPoint) -> Float {
    let place = cursor &- point.whole
    if point.whole &+ 2 <= age { return point.between.value(memory, place, mask) }
    return point.between.value(
      heard(point.whole &- 1), heard(point.whole), heard(point.whole &+ 1),
      heard(point.whole &+ 2))
  }

  /// What was written so many frames ago; silence where that is before the last reset.
  @_noLocks @_noAllocation @inline(__always)
  private func heard(_ distance: Int) -> Float {
    distance <= age ? memory[(cursor &- distance) & mask] : 0
  }

  /// Reads frames that follow each other at a point that rests.
  ///
  /// - Parameter count: frames, fewer than `point.whole`: what is read was written before.
  @_noLocks @_noAllocation
  func read(_ point: DelayPoint, to output: UnsafeMutablePointer<Float>, count: Int) {
    let first = (cursor &- point.whole &- 2) & mask
    var frame = 0
    if point.whole &+ 2 <= age && first &+ count &+ 3 <= mask {
      // Without masking, so that neighbouring frames are read side by side.
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

/// A delay as a whole number of frames and the weights of what lies around the rest.
struct DelayPoint {
  let whole: Int
  let between: CubicInterpolation

  /// - Parameter frames: at least `DelayLine.minimumFrames`.
  @_noLocks @_noAllocation @inline(__always)
  init(frames: Double) {
    whole = Int(saturating: frames)
    between = CubicInterpolation(fraction: Float(frames - Double(whole)))
  }
}
