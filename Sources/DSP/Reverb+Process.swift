// The reverb's loop over frames.

import CRealtime
import Realtime

extension Reverb {
  /// Renders the reverb of `frameCount` frames.
  ///
  /// - Parameters:
  ///   - input: one channel; values beyond ±1000 are limited, and NaN counts as silence.
  ///   - left: memory for the left channel; may be `input`.
  ///   - right: memory for the right channel, other than `left`.
  /// - Complexity: O(frames); silence costs no more than writing it.
  @_noLocks @_noAllocation
  public mutating func process(
    input: UnsafePointer<Float>, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    if isSilent && Samples.isSilent(input, count: frameCount) {
      Samples.clear(left, count: frameCount)
      Samples.clear(right, count: frameCount)
      return skip(frameCount)
    }
    var room = ReverbRoom(self)
    var frame = 0
    while frame < frameCount && (level.isRamping || width.isRamping || remainingFrames > 0) {
      if level.isRamping || width.isRamping {
        level.advance(by: 1)
        width.advance(by: 1)
        setOutputGains()
        room.midGain = midGain
        room.sideGain = sideGain
      }
      if remainingFrames > 0 { stepCoefficients() }
      (left[frame], right[frame]) = room.take(input[frame])
      frame &+= 1
    }
    while frame < frameCount {
      (left[frame], right[frame]) = room.take(input[frame])
      frame &+= 1
    }
    cursor = room.cursor
    quietFrames = room.quietFrames
    cosine = room.cosine
    sine = room.sine
  }
}

/// A local copy of a reverb's state for the loop, which stays in the processor's registers.
private struct ReverbRoom: BitwiseCopyable {
  private let memory: UnsafeMutablePointer<Float>
  private let mask: Int
  private let ringDistance: Int
  private let lengths: UnsafeMutablePointer<Int>
  private let states: UnsafeMutablePointer<Float>
  private let coefficients: UnsafeMutablePointer<Float>
  private let reach: Float
  private let stepCosine: Double
  private let stepSine: Double
  private let memoryFrames: Int
  var midGain: Float
  var sideGain: Float
  var cosine: Double
  var sine: Double
  var cursor: Int
  var quietFrames: Int

  @_noLocks @_noAllocation @inline(__always)
  init(_ reverb: borrowing Reverb) {
    memory = reverb.memory
    mask = reverb.mask
    ringDistance = reverb.ringDistance
    lengths = reverb.lengths
    states = reverb.states
    coefficients = reverb.coefficients
    reach = reverb.reach
    stepCosine = reverb.stepCosine
    stepSine = reverb.stepSine
    memoryFrames = reverb.memoryFrames
    midGain = reverb.midGain
    sideGain = reverb.sideGain
    cosine = reverb.cosine
    sine = reverb.sine
    cursor = reverb.cursor
    quietFrames = reverb.quietFrames
  }

  /// Takes an input frame, and returns left and right.
  @_noLocks @_noAllocation @inline(__always)
  mutating func take(_ input: Float) -> (Float, Float) {
    let sample = EffectSample.held(input)
    if sample == 0 && quietFrames >= memoryFrames { return (0, 0) }
    let (mid, side) = next(sample)
    return (mid + side, mid - side)
  }

  /// Takes one frame through the network.
  ///
  /// - Returns: half the sum and half the difference of left and right.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func next(_ sample: Float) -> (mid: Float, side: Float) {
    // No stored value is −0: if all bits are 0, so are all values.
    var bits: UInt32 = 0
    let input = diffuse(sample, &bits) * 0.353_553_4
    var (a, b, c, d) = (read(0, 0), read(1, 1), read(2, 2), read(3, 3))
    var (e, f, g, h) = (read(4, 4), read(5, 5), read(6, 6), read(7, 7))
    rotate()
    let left = (a - c) + (e - g)
    let right = (b - d) + (f - h)
    // Hadamard's matrix in three steps of sums and differences.
    (a, b, c, d) = (a + b, a - b, c + d, c - d)
    (e, f, g, h) = (e + f, e - f, g + h, g - h)
    (a, c, b, d) = (a + c, a - c, b + d, b - d)
    (e, g, f, h) = (e + g, e - g, f + h, f - h)
    write(0, a + e, input, &bits)
    write(1, b + f, input, &bits)
    write(2, c + g, input, &bits)
    write(3, d + h, input, &bits)
    write(4, a - e, input, &bits)
    write(5, b - f, input, &bits)
    write(6, c - g, input, &bits)
    write(7, d - h, input, &bits)
    cursor &+= 1
    quietFrames = bits == 0 ? quietFrames &+ 1 : 0
    return ((left + right) * midGain * 0.5, (left - right) * sideGain * 0.5)
  }

  /// Spreads a frame over the next hundredth of a second by three all-passes.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func diffuse(_ sample: Float, _ bits: inout UInt32) -> Float {
    var value = sample
    var index = Reverb.lineCount
    while index < Reverb.lineCount &+ Reverb.diffuserCount {
      let ring = memory + index &* ringDistance
      let delayed = ring[(cursor &- lengths[index]) & mask]
      let held = EffectSample.flushed(value - 0.6 * delayed)
      ring[cursor & mask] = held
      bits |= held.bitPattern
      value = delayed + 0.6 * held
      index &+= 1
    }
    return value
  }

  /// Returns the output of a line after its share of the decay. Each line's motion is an eighth of
  /// a turn after that of the one before it.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func read(_ line: Int, _ eighths: Int) -> Float {
    let (x, y) = (Float(cosine), Float(sine))
    let turn: Float
    switch eighths & 3 {
    case 0: turn = x
    case 1: turn = (x - y) * 0.707_106_8
    case 2: turn = -y
    default: turn = (x + y) * -0.707_106_8
    }
    let delay = reach * (1 + (eighths < 4 ? turn : -turn))
    let whole = Int(truncatingIfNeeded: wholePart(Double(delay)))
    let sample = CubicInterpolation(fraction: delay - Float(whole)).value(
      memory + line &* ringDistance, cursor &- lengths[line] &- whole, mask)
    let state = EffectSample.flushed(
      coefficients[line] * sample + coefficients[Reverb.lineCount &+ line] * states[line])
    states[line] = state
    return state
  }

  @_noLocks @_noAllocation @inline(__always)
  private mutating func write(
    _ line: Int, _ sum: Float, _ input: Float, _ bits: inout UInt32
  ) {
    let value = EffectSample.flushed(sum * 0.353_553_4 + input)
    (memory + line &* ringDistance)[cursor & mask] = value
    bits |= value.bitPattern | states[line].bitPattern
  }

  @_noLocks @_noAllocation @inline(__always)
  private mutating func rotate() {
    let (x, y) = (
      cosine * stepCosine - sine * stepSine, sine * stepCosine + cosine * stepSine
    )
    // Keeps rounding from making the circle larger or smaller.
    let correction = 1.5 - 0.5 * (x * x + y * y)
    cosine = x * correction
    sine = y * correction
  }
}
