// The equalizer's loops over frames.

extension Equalizer {
  /// Filters `frameCount` frames.
  ///
  /// - Parameters:
  ///   - input: one channel.
  ///   - output: memory for the output; may be `input`.
  /// - Complexity: O(frames · bands)
  @_noLocks @_noAllocation
  public mutating func process(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    var frame = 0
    while frame < frameCount {
      let moving = movingFrames()
      if isMoving && moving == 0 { rest() }
      var count = min(frameCount &- frame, Self.blockFrames)
      if moving > 0 { count = min(count, moving) }
      let source = input + frame
      let zeros = Self.leadingZeros(source, count: count)
      if moving == 0 && !isSilent && quietFrames &+ zeros >= decayFrames {
        count = max(1, min(count, decayFrames &- quietFrames))
      }
      if isSilent && zeros >= count {
        clear(count)
        if isMoving { skipBands(count) }
      } else {
        isSilent = false
        load(source, count: count)
        if moving > 0 { processMoving(count) } else { processResting(count) }
        countQuiet(source, count: count, zeros: zeros, isMoving: moving > 0)
      }
      store(to: output + frame, count: count)
      frame &+= count
    }
  }

  @_noLocks @_noAllocation
  private func processResting(_ count: Int) {
    var group = 0
    while group < laneGroupCount {
      let heard = heardBands(group)
      if heard.count > 1 {
        lanes(ofGroup: group).process(block, count: count)
      } else if heard.count == 1 {
        processResting(heard.last, count)
      }
      group &+= 1
    }
  }

  /// Returns the number of audible bands of a group, and the last of them.
  @_noLocks @_noAllocation
  private func heardBands(_ group: Int) -> (count: Int, last: Int) {
    var (count, last) = (0, 0)
    var band = group &* EqualizerLanes.bandCount
    let end = min(band &+ EqualizerLanes.bandCount, bandCount)
    while band < end {
      if !bands[band].isOff {
        count &+= 1
        last = band
      }
      band &+= 1
    }
    return (count, last)
  }

  /// Filters a block with a single band, which is faster than two at once.
  @_noLocks @_noAllocation
  private func processResting(_ band: Int, _ count: Int) {
    let lanes = lanes(of: band)
    var states = lanes.sectionStates(band & 1)
    let section = lanes.section(band & 1)
    var frame = 0
    while frame < count {
      block[frame] = section.next(block[frame], &states)
      frame &+= 1
    }
    lanes.setSectionStates(band & 1, states)
  }

  /// Filters a block that ends at the latest when all bands rest.
  @_noLocks @_noAllocation
  private mutating func processMoving(_ count: Int) {
    var band = 0
    while band < bandCount {
      processMoving(band, count)
      band &+= 1
    }
    if movingFrames() == 0 { rest() }
  }

  @_noLocks @_noAllocation
  private func processMoving(_ index: Int, _ count: Int) {
    let band = bands + index
    if band.pointee.remainingFrames == 0 {
      if !band.pointee.isOff { processResting(index, count) }
      return
    }
    var frame = 0
    while frame < count {
      let isMoving = band.pointee.isMoving
      let length = isMoving ? band.pointee.segment(upTo: count &- frame) : count &- frame
      processSegment(index, block + frame, count: length, isMoving: isMoving)
      if isMoving { band.pointee.advance(by: length) }
      frame &+= length
    }
    settle(index)
  }

  /// Filters frames of one segment, or any number while the band only fades.
  @_noLocks @_noAllocation
  private func processSegment(
    _ index: Int, _ samples: UnsafeMutablePointer<Double>, count: Int, isMoving: Bool
  ) {
    let lanes = lanes(of: index)
    let band = bands + index
    var states = lanes.sectionStates(index & 1)
    var heard = band.pointee.heard
    var section = EqualizerSection(band.pointee.shape)
    var frame = 0
    while frame < count {
      if isMoving { section = EqualizerSection(band.pointee.shape(after: frame &+ 1)) }
      let sample = samples[frame]
      let part = heard.next()
      if part == 0 {
        // The band starts from silence.
        states = EqualizerStates()
      } else {
        let filtered = section.next(sample, &states)
        samples[frame] = part == 1 ? filtered : sample + (filtered - sample) * part
      }
      frame &+= 1
    }
    band.pointee.heard = heard
    lanes.setSectionStates(index & 1, states)
  }

  // MARK: Blocks

  @_noLocks @_noAllocation
  private func clear(_ count: Int) {
    var frame = 0
    while frame < count {
      block[frame] = 0
      frame &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func load(_ source: UnsafePointer<Float>, count: Int) {
    var frame = 0
    while frame < count {
      block[frame] = Double(source[frame])
      frame &+= 1
    }
  }

  /// Writes the block after the gain.
  @_noLocks @_noAllocation
  private mutating func store(to output: UnsafeMutablePointer<Float>, count: Int) {
    var frame = 0
    while frame < count && gain.isRamping {
      factor = BandShape.gain(decibels: gain.next())
      output[frame] = Float(block[frame] * factor) + 0
      frame &+= 1
    }
    while frame < count {
      // Adding 0 makes −0 positive: silence always has the same bits.
      output[frame] = Float(block[frame] * factor) + 0
      frame &+= 1
    }
  }

  @_noLocks @_noAllocation
  private static func leadingZeros(_ source: UnsafePointer<Float>, count: Int) -> Int {
    var zeros = 0
    while zeros < count && source[zeros] == 0 { zeros &+= 1 }
    return zeros
  }

  /// Clears the states once the input has been silent for long enough.
  ///
  /// - Parameters:
  ///   - source: the input of a block.
  ///   - zeros: the number of zeros at the start of the block.
  @_noLocks @_noAllocation
  private mutating func countQuiet(
    _ source: UnsafePointer<Float>, count: Int, zeros: Int, isMoving: Bool
  ) {
    if isMoving {
      quietFrames = 0
      return
    }
    if zeros >= count {
      quietFrames &+= count
    } else {
      var last = 0
      while last < count && source[count &- 1 &- last] == 0 { last &+= 1 }
      quietFrames = last
    }
    if quietFrames >= decayFrames { reset() }
  }
}
