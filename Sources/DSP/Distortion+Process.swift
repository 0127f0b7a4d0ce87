// The distortion's loop over frames.

extension Distortion {
  /// Distorts `frameCount` frames.
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
    while frame < frameCount {
      var count = beginCrossing(upTo: min(frameCount &- frame, Self.blockFrames))
      let source = input + frame
      let zeros = Self.leadingZeros(source, count: count)
      if !isSilent && quietFrames &+ zeros >= decayFrames {
        count = max(1, min(count, decayFrames &- quietFrames))
      }
      if isSilent && zeros >= count {
        clear(output + frame, count: count)
        skip(count)
      } else {
        isSilent = false
        countQuiet(source, count: count, zeros: zeros)
        processBlock(source, to: output + frame, count: count)
        if quietFrames >= decayFrames { reset() }
      }
      frame &+= count
    }
  }

  @_noLocks @_noAllocation
  private mutating func processBlock(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, count: Int
  ) {
    let late = Self.latencyFrames
    var frame = 0
    while frame < count {
      memory.dry[late &+ frame] = input[frame]
      frame &+= 1
    }
    amplify(input, count: count)
    first.raise(memory.amplified, to: memory.low, count: count)
    second.raise(memory.low, to: memory.middle, count: 2 &* count)
    third.raise(memory.middle, to: memory.high, count: 4 &* count)
    shape(count: count)
    third.lower(memory.high, to: memory.middle, count: 4 &* count)
    second.lower(memory.middle, to: memory.low, count: 2 &* count)
    first.lower(memory.low, to: memory.amplified, count: count)
    mix(to: output, count: count)
    frame = 0
    while frame < late {
      memory.dry[frame] = memory.dry[count &+ frame]
      frame &+= 1
    }
  }

  /// Writes the input, times the drive, to the input of the filters.
  @_noLocks @_noAllocation
  private mutating func amplify(_ input: UnsafePointer<Float>, count: Int) {
    let low = memory.amplified
    var frame = 0
    while frame < count && drive.isRamping {
      driveFactor = Float(BandShape.gain(decibels: drive.next()))
      low[frame] = input[frame] * driveFactor
      frame &+= 1
    }
    while frame < count {
      low[frame] = input[frame] * driveFactor
      frame &+= 1
    }
  }

  /// Takes `memory.high` through the curve, and delays it.
  @_noLocks @_noAllocation
  private mutating func shape(count: Int) {
    let samples = count &* Self.oversampling
    let (source, padding) = (memory.curveInput, Self.paddingSamples)
    source[0] = lastInput
    var index = 0
    while index < samples {
      source[index &+ 1] = Double(memory.high[index])
      index &+= 1
    }
    lastInput = source[samples]
    shape.process(source, integrals: memory.integrals, to: memory.shaped, count: samples)
    if crossing.isRamping { cross(count: count) }
    // The other half of a sample's delay.
    index = 0
    var last = lastShaped
    while index < samples {
      let next = memory.shaped[index]
      memory.padded[padding &+ index] = Float((next + last) * 0.5)
      last = next
      index &+= 1
    }
    lastShaped = last
    index = 0
    while index < samples {
      memory.high[index] = memory.padded[index]
      index &+= 1
    }
    index = 0
    while index < padding {
      memory.padded[index] = memory.padded[samples &+ index]
      index &+= 1
    }
  }

  /// Crossfades from the former shape.
  @_noLocks @_noAllocation
  private mutating func cross(count: Int) {
    let former = memory.former
    formerShape.process(
      memory.curveInput, integrals: memory.integrals, to: former,
      count: count &* Self.oversampling)
    var frame = 0
    while frame < count {
      let part = crossing.next()
      var index = frame &* Self.oversampling
      let end = index &+ Self.oversampling
      while index < end {
        memory.shaped[index] = former[index] + (memory.shaped[index] - former[index]) * part
        index &+= 1
      }
      frame &+= 1
    }
  }

  /// Mixes the filters' output, after the high-pass and the gain, with the input.
  @_noLocks @_noAllocation
  private mutating func mix(to output: UnsafeMutablePointer<Float>, count: Int) {
    var frame = 0
    let scale = (1 + pole) / 2
    while frame < count {
      if gain.isRamping { gainFactor = BandShape.gain(decibels: gain.next()) }
      let wet = Double(memory.amplified[frame])
      lastPassed = (wet - lastWet) * scale + lastPassed * pole
      lastWet = wet
      let part = Float(mix.next() / 100)
      let made = Float(lastPassed * gainFactor)
      // Adding 0 makes −0 positive: silence always has the same bits.
      output[frame] = memory.dry[frame] * (1 - part) + made * part + 0
      frame &+= 1
    }
  }

  // MARK: Silence

  @_noLocks @_noAllocation
  private func clear(_ output: UnsafeMutablePointer<Float>, count: Int) {
    var frame = 0
    while frame < count {
      output[frame] = 0
      frame &+= 1
    }
  }

  @_noLocks @_noAllocation
  private static func leadingZeros(_ source: UnsafePointer<Float>, count: Int) -> Int {
    var zeros = 0
    while zeros < count && source[zeros] == 0 { zeros &+= 1 }
    return zeros
  }

  /// Counts the zeros at the end of the input.
  /// - Parameter zeros: the number of zeros at the start of the block.
  @_noLocks @_noAllocation
  private mutating func countQuiet(
    _ source: UnsafePointer<Float>, count: Int, zeros: Int
  ) {
    if zeros >= count {
      quietFrames &+= count
      return
    }
    var last = 0
    while last < count && source[count &- 1 &- last] == 0 { last &+= 1 }
    quietFrames = last
  }
}
