// The comb filter's loop over frames.

extension CombFilter {
  /// Filters `frameCount` frames.
  ///
  /// - Parameters:
  ///   - input: one channel.
  ///   - output: memory for the output; may be `input`.
  /// - Complexity: O(frames)
  @_noLocks @_noAllocation
  public mutating func process(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    var frame = 0
    while frame < frameCount && isMoving {
      output[frame] = nextMoving(input[frame])
      frame &+= 1
    }
    if frame == frameCount { return }
    let point = loop.delay.point()
    let (gain, wet) = (Float(feedforward.value / 100), Float(mix.value / 100))
    let dry = 1 - wet
    while frame < frameCount {
      let count = loop.blockLength(point, frameCount: frameCount &- frame)
      let (source, target) = (input + frame, output + frame)
      let made = loop.next(source, point, count: count)
      let (held, delayed) = (made.held, made.delayed)
      var index = 0
      while index < count {
        target[index] = source[index] * dry + (held[index] + delayed[index] * gain) * wet + 0
        index &+= 1
      }
      frame &+= count
    }
  }

  /// Returns a frame while settings ramp.
  @_noLocks @_noAllocation
  private mutating func nextMoving(_ sample: Float) -> Float {
    feedforward.advance(by: 1)
    mix.advance(by: 1)
    if damping.isRamping {
      damping.advance(by: 1)
      loop.pole = Self.pole(damping: damping.value, sampleRate: sampleRate)
    }
    let made = loop.next(sample)
    let wet = Float(mix.value / 100)
    // Adding 0 makes −0 positive: silence always has the same bits.
    return sample * (1 - wet)
      + (made.held + made.delayed * Float(feedforward.value / 100)) * wet + 0
  }
}
