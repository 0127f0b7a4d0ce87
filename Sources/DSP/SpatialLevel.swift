// The level of a sound in space and its muffling.

import Realtime

/// The gain and low-pass of a mono sound before the algorithms that place it.
///
/// - Thread: [render]
public enum SpatialLevel {
  /// Applies a low-pass with the state `state`, then a gain.
  ///
  /// - Parameters:
  ///   - glide: its numbers `at` (0 or 2) and `at + 1` are the gain and the low-pass's coefficient.
  ///   - output: may be `input`.
  @_noLocks @_noAllocation
  public static func apply(
    _ glide: SpatialGlide, at: Int, _ clock: SpatialClock, state: inout Double,
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, count: Int
  ) {
    var frame = 0
    if clock.isResting {
      let value = glide.rest
      let (gain, coefficient) = at == 0 ? (value.x, value.y) : (value.z, value.w)
      if coefficient == 1 {
        let factor = Float(gain)
        while frame < count {
          output[frame] = input[frame] * factor
          frame &+= 1
        }
        state = 0
        return
      }
      var held = state
      while frame < count {
        held = flushed(held + coefficient * (Double(input[frame]) - held))
        output[frame] = Float(held * gain)
        frame &+= 1
      }
      state = held
      return
    }
    var held = state
    while frame < count {
      let value = glide.value(after: frame &+ 1, clock)
      let (gain, coefficient) = at == 0 ? (value.x, value.y) : (value.z, value.w)
      held = flushed(held + coefficient * (Double(input[frame]) - held))
      output[frame] = Float(held * gain)
      frame &+= 1
    }
    state = held
  }

  /// Adds a sound to left and right by the first two numbers of a glide.
  @_noLocks @_noAllocation
  public static func pan(
    _ glide: SpatialGlide, _ clock: SpatialClock, _ input: UnsafePointer<Float>,
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
  ) {
    var frame = 0
    if clock.isResting {
      let (toLeft, toRight) = (Float(glide.rest.x), Float(glide.rest.y))
      while frame < count {
        left[frame] += input[frame] * toLeft
        right[frame] += input[frame] * toRight
        frame &+= 1
      }
      return
    }
    while frame < count {
      let value = glide.value(after: frame &+ 1, clock)
      left[frame] += Float(Double(input[frame]) * value.x)
      right[frame] += Float(Double(input[frame]) * value.y)
      frame &+= 1
    }
  }

  /// Adds a sound, limited as by `take`, to left and right by its gain and the first two numbers of
  /// `place`. For sounds that are not muffled and do not move.
  @_noLocks @_noAllocation
  public static func add(
    _ input: UnsafePointer<Float>, gain: Double, place: SIMD4<Double>,
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
  ) {
    let (toLeft, toRight) = (Float(gain * place.x), Float(gain * place.y))
    var frame = 0
    while frame &+ 8 <= count {
      let samples = EffectSample.held(
        UnsafeRawPointer(input + frame).loadUnaligned(as: SIMD8<Float>.self))
      let (toTheLeft, toTheRight) = (
        UnsafeMutableRawPointer(left + frame), UnsafeMutableRawPointer(right + frame)
      )
      toTheLeft.storeBytes(
        of: toTheLeft.loadUnaligned(as: SIMD8<Float>.self) + samples * toLeft,
        as: SIMD8<Float>.self)
      toTheRight.storeBytes(
        of: toTheRight.loadUnaligned(as: SIMD8<Float>.self) + samples * toRight,
        as: SIMD8<Float>.self)
      frame &+= 8
    }
    while frame < count {
      let sample = EffectSample.held(input[frame])
      left[frame] += sample * toLeft
      right[frame] += sample * toRight
      frame &+= 1
    }
  }

  /// Copies the input, limited to 60 dB above full scale; NaN becomes silence.
  @_noLocks @_noAllocation
  public static func take(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, count: Int
  ) {
    var frame = 0
    while frame < count {
      output[frame] = EffectSample.held(input[frame])
      frame &+= 1
    }
  }

  /// Returns a value, or 0 if it is below −160 dB of full scale, so that ringing ends.
  @_noLocks @_noAllocation @inline(__always)
  private static func flushed(_ value: Double) -> Double {
    value > 1e-8 || value < -1e-8 ? value : 0
  }
}
