// The chorus's loop over frames.

import CRealtime
import Realtime

extension Chorus {
  /// Renders the chorus of `frameCount` frames.
  ///
  /// - Parameters:
  ///   - input: one channel; values beyond ±1000 are limited, and NaN counts as silence.
  ///   - left: memory for the left channel; may be `input`.
  ///   - right: memory for the right channel, other than `left`.
  /// - Complexity: O(frames × voices); silence costs no more than writing it.
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
    let wanted = wantedShape()
    var frame = 0
    while frame < frameCount {
      let sample = EffectSample.held(input[frame])
      if level.isRamping { level.advance(by: 1) }
      if remainingFrames == 0 { follow(wanted) }
      if remainingFrames == 0 && !level.isRamping {
        return processResting(
          input + frame, left: left + frame, right: right + frame, count: frameCount &- frame)
      }
      if isSilent && sample == 0 {
        left[frame] = 0
        right[frame] = 0
      } else {
        let (first, second) = step(sample)
        let gain = Float(2 * level.value)
        left[frame] = first * gain
        right[frame] = second * gain
      }
      if remainingFrames > 0 {
        remainingFrames &-= 1
        if remainingFrames == 0 { sounding = next }
      }
      frame &+= 1
    }
  }

  /// Starts a crossfade if another shape is wanted. Called only while none is running.
  @_noLocks @_noAllocation @inline(__always)
  mutating func follow(_ wanted: Shape) {
    if wanted.voices == sounding.voices && wanted.swing == sounding.swing
      && wanted.isTriangle == sounding.isTriangle
    {
      return
    }
    next = wanted
    remainingFrames = level.deZipperFrames
  }

  /// Renders frames without a ramp or crossfade. State that changes is in local variables, and so
  /// in the processor's registers.
  @_noLocks @_noAllocation
  private mutating func processResting(
    _ input: UnsafePointer<Float>, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, count: Int
  ) {
    let (memory, mask, memoryFrames) = (memory, mask, memoryFrames)
    let (leastDelay, phaseStep, shape) = (leastDelay, phaseStep, sounding)
    let gain = Float(2 * level.value)
    var (cursor, phase, quietFrames) = (cursor, phase, quietFrames)
    var frame = 0
    while frame < count {
      let sample = EffectSample.held(input[frame])
      if sample == 0 && quietFrames >= memoryFrames {
        left[frame] = 0
        right[frame] = 0
      } else {
        memory[cursor & mask] = sample
        let (first, second) = Self.voices(shape, phase, cursor, memory, mask, leastDelay)
        left[frame] = first * gain
        right[frame] = second * gain
        cursor &+= 1
        phase += phaseStep
        if phase >= 1 { phase -= 1 }
        quietFrames = sample == 0 ? quietFrames &+ 1 : 0
      }
      frame &+= 1
    }
    (self.cursor, self.phase, self.quietFrames) = (cursor, phase, quietFrames)
  }

  @_noLocks @_noAllocation @inline(__always)
  private mutating func step(_ sample: Float) -> (Float, Float) {
    memory[cursor & mask] = sample
    var (left, right) = Self.voices(sounding, phase, cursor, memory, mask, leastDelay)
    if remainingFrames > 0 {
      let part = Float(remainingFrames) / Float(level.deZipperFrames)
      let (nextLeft, nextRight) = Self.voices(next, phase, cursor, memory, mask, leastDelay)
      left = nextLeft + (left - nextLeft) * part
      right = nextRight + (right - nextRight) * part
    }
    cursor &+= 1
    phase += phaseStep
    if phase >= 1 { phase -= 1 }
    quietFrames = sample == 0 ? quietFrames &+ 1 : 0
    return (left, right)
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func voices(
    _ shape: Shape, _ phase: Double, _ cursor: Int, _ memory: UnsafeMutablePointer<Float>,
    _ mask: Int, _ leastDelay: Float
  ) -> (Float, Float) {
    var (left, right): (Float, Float) = (0, 0)
    let distance = shape.voices > 0 ? 1 / Double(shape.voices) : 0
    var voice = 0
    while voice < shape.voices {
      var turns = phase + Double(voice) * distance
      if turns >= 1 { turns -= 1 }
      let wave = shape.isTriangle ? Self.triangle(Float(turns)) : Self.sine(Float(turns))
      let delay = leastDelay + shape.swing * (1 + wave)
      let whole = Int(truncatingIfNeeded: wholePart(Double(delay)))
      let value = CubicInterpolation(fraction: delay - Float(whole)).value(
        memory, cursor &- whole, mask)
      if voice == shape.voices &- 1 && voice & 1 == 0 {
        left += value * 0.707_106_8
        right += value * 0.707_106_8
      } else if voice & 1 == 0 {
        left += value
      } else {
        right += value
      }
      voice &+= 1
    }
    return (left, right)
  }

  /// Returns the sine of an angle of 0 to 1 turns, to 0.1 %: a parabola, corrected by a second one.
  @_noLocks @_noAllocation @inline(__always)
  static func sine(_ turns: Float) -> Float {
    let angle = turns * 2 - 1
    let parabola = -4 * angle * (1 - abs(angle))
    // By rounding, the approximation may exceed ±1 and a delay fall below its minimum.
    return max(-1, min(1, parabola + 0.225 * (parabola * abs(parabola) - parabola)))
  }

  /// Returns a triangle that rises from 0 like the sine.
  @_noLocks @_noAllocation @inline(__always)
  static func triangle(_ turns: Float) -> Float {
    turns < 0.25 ? 4 * turns : turns < 0.75 ? 2 - 4 * turns : 4 * turns - 4
  }
}
