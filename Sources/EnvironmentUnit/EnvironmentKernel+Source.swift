// The rendering of a slice of one source.

import DSP
import Realtime
import UnitRender

extension EnvironmentKernel {
  /// Renders frames of an input with one or two channels.
  ///
  /// - Parameters:
  ///   - start: the first frame, counted from the slice's.
  ///   - length: the number of frames.
  @_noLocks @_noAllocation
  mutating func render(
    _ index: Int, _ channels: Int, _ slice: RenderSlice, _ start: Int, _ length: Int
  ) {
    let source = sources + index
    if source.pointee.channelCount != channels {
      source.pointee.arrive(channels, listener, lattice)
      if channels == 1 { empty(source.pointee.sounding, of: index) }
    } else if source.pointee.change > 0 {
      source.pointee.update(for: listener, lattice)
    }
    let isHeard = isHeard(index, channels, slice, start, length)
    if !isHeard && !source.pointee.isMoving(listener) && convolvers[index].fadingFrames == 0
      && !isToTurn(index)
    {
      return
    }
    let end = start &+ length
    var frame = start
    while frame < end {
      let begun = source.pointee.begin(after: frame, listener, lattice)
      if begun >= 0 { empty(begun, of: index) }
      var count = source.pointee.frames(
        upTo: min(end &- frame, EnvironmentScratch.frames))
      if source.pointee.uses(SourceAlgorithm.headResponses) {
        if !isCrowded || source.pointee.mayTurn {
          convolvers[index].aim(source.pointee.position.direction)
          source.pointee.mayTurn = false
        }
        let fading = convolvers[index].fadingFrames
        if fading > 0 { count = min(count, fading) }
      }
      if isHeard && channels == 2 {
        pass(index, slice, frame, count)
      } else if isHeard {
        place(index, slice, frame, count)
      } else {
        convolvers[index].skip(min(count, convolvers[index].fadingFrames))
      }
      source.pointee.advance(by: count)
      frame &+= count
    }
  }

  /// Whether the source sounds: its input is not silent, or earlier input still sounds.
  @_noLocks @_noAllocation
  private func isHeard(
    _ index: Int, _ channels: Int, _ slice: RenderSlice, _ start: Int, _ length: Int
  ) -> Bool {
    let source = sources + index
    let isSilent =
      Samples.isSilent(slice.input(bus: index, channel: 0) + start, count: length)
      && (channels == 1
        || Samples.isSilent(slice.input(bus: index, channel: 1) + start, count: length))
    if !isSilent {
      source.pointee.quietFrames = 0
      return true
    }
    let memory = max(convolvers[index].memoryFrames, heads[index].memoryFrames)
    let isOver =
      source.pointee.quietFrames >= memory && source.pointee.isAtRest
      && (heads[index].isAtRest || !source.pointee.uses(SourceAlgorithm.sphericalHead))
    if !isOver { source.pointee.quietFrames &+= length }
    return !isOver
  }

  /// Clears the state of an algorithm that starts.
  @_noLocks @_noAllocation
  private func empty(_ algorithm: Int, of index: Int) {
    if algorithm == SourceAlgorithm.sphericalHead { heads[index].reset() }
    if algorithm == SourceAlgorithm.headResponses {
      convolvers[index].reset(sources[index].position.direction)
    }
  }

  // MARK: Two channels

  /// Adds a stretch of two channels without placing them.
  @_noLocks @_noAllocation
  private func pass(_ index: Int, _ slice: RenderSlice, _ frame: Int, _ count: Int) {
    let source = sources + index
    let (level, clock) = (source.pointee.level, source.pointee.clock)
    SpatialLevel.take(
      slice.input(bus: index, channel: 0) + frame, to: scratch.input, count: count)
    SpatialLevel.take(
      slice.input(bus: index, channel: 1) + frame, to: scratch.other, count: count)
    SpatialLevel.apply(
      level, at: 0, clock, state: &source.pointee.directState, scratch.input, to: scratch.direct,
      count: count)
    Samples.add(scratch.direct, to: slice.output(channel: 0) + frame, count: count)
    SpatialLevel.apply(
      level, at: 0, clock, state: &source.pointee.rightState, scratch.other, to: scratch.direct,
      count: count)
    Samples.add(scratch.direct, to: slice.output(channel: 1) + frame, count: count)
    if isSent(level, clock) {
      Samples.add(scratch.other, to: scratch.input, count: count)
      Samples.scale(scratch.input, by: 0.5, count: count)
    }
    send(source, frame, count)
  }

  // MARK: One channel

  /// Adds a stretch of one channel at its position.
  @_noLocks @_noAllocation
  private func place(_ index: Int, _ slice: RenderSlice, _ frame: Int, _ count: Int) {
    let source = sources + index
    let (level, clock) = (source.pointee.level, source.pointee.clock)
    let left = slice.output(channel: 0) + frame
    let right = slice.output(channel: 1) + frame
    if isPlain(source) {
      (source.pointee.directState, source.pointee.sendState) = (0, 0)
      SpatialLevel.add(
        slice.input(bus: index, channel: 0) + frame, gain: level.rest.x,
        place: source.pointee.first.rest, left: left, right: right, count: count)
      return
    }
    SpatialLevel.take(
      slice.input(bus: index, channel: 0) + frame, to: scratch.input, count: count)
    SpatialLevel.apply(
      level, at: 0, clock, state: &source.pointee.directState, scratch.input, to: scratch.direct,
      count: count)
    send(source, frame, count)
    let (sounding, first) = (source.pointee.sounding, source.pointee.first)
    if source.pointee.fading == 0 && isPanned(sounding) {
      SpatialLevel.pan(first, clock, scratch.direct, left: left, right: right, count: count)
      return
    }
    render(sounding, first, clock, index, left: scratch.left, right: scratch.right, count)
    if source.pointee.fading > 0 {
      let coming = source.pointee.coming
      render(
        coming, source.pointee.second, clock, index, left: scratch.otherLeft,
        right: scratch.otherRight, count)
      let step = 1 / Float(source.pointee.fadeFrames)
      let start = source.pointee.fadeFrames &- source.pointee.fading
      var offset = 0
      while offset < count {
        let part = Float(start &+ offset &+ 1) * step
        scratch.left[offset] += (scratch.otherLeft[offset] - scratch.left[offset]) * part
        scratch.right[offset] += (scratch.otherRight[offset] - scratch.right[offset]) * part
        offset &+= 1
      }
    }
    Samples.add(scratch.left, to: left, count: count)
    Samples.add(scratch.right, to: right, count: count)
  }

  /// Whether the source needs only constant gains.
  @_noLocks @_noAllocation
  private func isPlain(_ source: UnsafeMutablePointer<EnvironmentSource>) -> Bool {
    let (level, clock) = (source.pointee.level, source.pointee.clock)
    return clock.isResting && source.pointee.fading == 0 && isPanned(source.pointee.sounding)
      && level.rest.y == 1 && level.rest.z == 0
  }

  @_noLocks @_noAllocation
  private func isPanned(_ algorithm: Int) -> Bool {
    algorithm != SourceAlgorithm.sphericalHead && algorithm != SourceAlgorithm.headResponses
  }

  /// Writes an algorithm's output for the stretch.
  @_noLocks @_noAllocation
  private func render(
    _ algorithm: Int, _ glide: SpatialGlide, _ clock: SpatialClock, _ index: Int,
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    if algorithm == SourceAlgorithm.sphericalHead {
      heads[index].process(
        scratch.direct, glide, clock, left: left, right: right, count: count)
    } else if algorithm == SourceAlgorithm.headResponses {
      convolvers[index].process(
        scratch.direct, glide, clock, left: left, right: right, count: count)
    } else {
      Samples.clear(left, count: count)
      Samples.clear(right, count: count)
      SpatialLevel.pan(glide, clock, scratch.direct, left: left, right: right, count: count)
    }
  }

  // MARK: Reverb

  @_noLocks @_noAllocation
  private func isSent(_ level: SpatialGlide, _ clock: SpatialClock) -> Bool {
    !clock.isResting || level.rest.z != 0
  }

  /// Sends the input of the stretch to the reverb.
  @_noLocks @_noAllocation
  private func send(
    _ source: UnsafeMutablePointer<EnvironmentSource>, _ frame: Int, _ count: Int
  ) {
    let (level, clock) = (source.pointee.level, source.pointee.clock)
    if !isSent(level, clock) {
      source.pointee.sendState = 0
      return
    }
    SpatialLevel.apply(
      level, at: 2, clock, state: &source.pointee.sendState, scratch.input, to: scratch.other,
      count: count)
    Samples.add(scratch.other, to: sendBuffer + frame, count: count)
  }
}

/// Memory for stretches, used by all sources in turn.
struct EnvironmentScratch: BitwiseCopyable {
  private let memory: UnsafeMutablePointer<Float>

  static var frames: Int { @_noLocks @_noAllocation get { 256 } }

  /// - Thread: [control]
  init() {
    memory = .allocate(capacity: 7 * Self.frames)
    memory.initialize(repeating: 0, count: 7 * Self.frames)
  }

  /// - Thread: [control]
  func deallocate() { memory.deallocate() }

  var input: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { memory } }
  var other: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { at(1) } }
  var direct: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { at(2) } }
  var left: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { at(3) } }
  var right: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { at(4) } }
  var otherLeft: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { at(5) } }
  var otherRight: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { at(6) } }

  @_noLocks @_noAllocation
  private func at(_ number: Int) -> UnsafeMutablePointer<Float> { memory + number &* Self.frames }
}
