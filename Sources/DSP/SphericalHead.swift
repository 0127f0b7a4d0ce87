// The model of a head as a sphere.

import Realtime

/// The sound at the two ears of a rigid sphere, by Brown and Duda ("A structural model for binaural
/// sound synthesis", 1998).
///
/// θ is the angle between the source and an ear; the ears are at ±90°. Relative to the middle of
/// the head, the sound arrives later by −(a/c) cos θ for θ < 90°, and by (a/c) (θ − π/2) beyond,
/// after Woodworth: a = 8.75 cm, c = 343 m/s. A further delay of a/c and one frame keeps all delays
/// positive. The head's shadow is
///
///     (α(θ) s + 2c/a) / (s + 2c/a),  α(θ) = 1.05 + 0.95 cos(180° · θ / 150°)
///
/// by the bilinear transformation. Low frequencies are at −3 dB in each ear, the level of equal
/// power for a sound in front.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct SphericalHead: ~Copyable {
  private var input: SpatialHistory
  private let delayed: UnsafeMutablePointer<Float>
  private let mostDelay: Double
  private var left: Ear
  private var right: Ear

  private static var speedOfSound: Double { @_noLocks @_noAllocation get { 343 } }

  /// - Parameter sampleRate: frames per second, finite and above zero.
  public init(sampleRate: Double) {
    let seconds = RelativePosition.headRadius / Self.speedOfSound
    // 1 + π/2 times a/c at the far ear.
    mostDelay = SpatialDelay.least + 2.6 * seconds * sampleRate
    input = SpatialHistory(kept: Int(mostDelay) + SpatialDelay.margin)
    delayed = .allocate(capacity: SpatialHistory.blockFrames)
    delayed.initialize(repeating: 0, count: SpatialHistory.blockFrames)
    left = Ear(sampleRate: sampleRate)
    right = left
  }

  deinit { delayed.deallocate() }

  /// Frames for which the output may continue after the input has ended, without the filters'
  /// ringing.
  public var memoryFrames: Int {
    @_noLocks @_noAllocation get { Int(saturating: mostDelay) &+ SpatialDelay.margin }
  }

  /// Whether the filters hold no sound.
  public var isAtRest: Bool {
    @_noLocks @_noAllocation get { left.isAtRest && right.isAtRest }
  }

  /// Returns the delays of left and right in frames, and α of both, for a direction.
  @_noLocks @_noAllocation
  public static func place(_ direction: SpatialVector, sampleRate: Double) -> SIMD4<Double> {
    let left = ear(-direction.x, sampleRate)
    let right = ear(direction.x, sampleRate)
    return SIMD4(left.delay, right.delay, left.shadow, right.shadow)
  }

  /// Returns the delay and α of one ear.
  /// - Parameter cosine: the cosine of θ.
  @_noLocks @_noAllocation
  private static func ear(_ cosine: Double, _ rate: Double) -> (delay: Double, shadow: Double) {
    let angle = RealtimeMath.arcCosine(cosine)
    let way = cosine > 0 ? -cosine : angle - .pi / 2
    return (
      SpatialDelay.least + RelativePosition.headRadius / speedOfSound * (1 + way) * rate,
      1.05 + 0.95 * RealtimeMath.cosine(angle * 1.2)
    )
  }

  @_noLocks @_noAllocation
  public mutating func reset() {
    input.clear()
    left.reset()
    right.reset()
  }

  /// Writes the sound at the ears.
  ///
  /// - Parameters:
  ///   - glide: the glide of the results of `place`.
  ///   - count: frames, at most 256, and at most those left of the clock's segment.
  @_noLocks @_noAllocation
  public mutating func process(
    _ samples: UnsafePointer<Float>, _ glide: SpatialGlide, _ clock: SpatialClock,
    left toLeft: UnsafeMutablePointer<Float>, right toRight: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    let place = input.append(count)
    var frame = 0
    while frame < count {
      place[frame] = samples[frame]
      frame &+= 1
    }
    SpatialDelay.read(place, glide, 0, clock, most: mostDelay, to: delayed, count: count)
    left.process(delayed, glide, 2, clock, to: toLeft, count: count)
    SpatialDelay.read(place, glide, 1, clock, most: mostDelay, to: delayed, count: count)
    right.process(delayed, glide, 3, clock, to: toRight, count: count)
  }

  /// The head's shadow at one ear.
  private struct Ear: BitwiseCopyable {
    /// The filter is α · high + low; both have one pole.
    private let edge: Double
    private let gain: Double
    private let pole: Double
    private var former = 0.0
    private var state = 0.0

    init(sampleRate: Double) {
      let corner = 2 * SphericalHead.speedOfSound / RelativePosition.headRadius
      let scale = 0.707_106_781_186_547_5 / (2 * sampleRate + corner)
      edge = 2 * sampleRate * scale
      gain = corner * scale
      pole = (2 * sampleRate - corner) / (2 * sampleRate + corner)
    }

    var isAtRest: Bool { @_noLocks @_noAllocation get { former == 0 && state == 0 } }

    @_noLocks @_noAllocation
    mutating func reset() { (former, state) = (0, 0) }

    @_noLocks @_noAllocation
    mutating func process(
      _ input: UnsafePointer<Float>, _ glide: SpatialGlide, _ number: Int, _ clock: SpatialClock,
      to output: UnsafeMutablePointer<Float>, count: Int
    ) {
      var (former, state) = (former, state)
      var frame = 0
      if clock.isResting {
        let shadow = number == 2 ? glide.rest.z : glide.rest.w
        let (now, before) = (edge * shadow + gain, gain - edge * shadow)
        while frame < count {
          let sample = Double(input[frame])
          state = flushed(now * sample + before * former + pole * state)
          former = sample
          output[frame] = Float(state)
          frame &+= 1
        }
      } else {
        while frame < count {
          let value = glide.value(after: frame &+ 1, clock)
          let shadow = edge * (number == 2 ? value.z : value.w)
          let sample = Double(input[frame])
          state = flushed((shadow + gain) * sample + (gain - shadow) * former + pole * state)
          former = sample
          output[frame] = Float(state)
          frame &+= 1
        }
      }
      (self.former, self.state) = (former, state)
    }

    /// Returns a value, or 0 if it is below −160 dB of full scale, so that ringing ends.
    @_noLocks @_noAllocation @inline(__always)
    private func flushed(_ value: Double) -> Double {
      value > 1e-8 || value < -1e-8 ? value : 0
    }
  }
}
