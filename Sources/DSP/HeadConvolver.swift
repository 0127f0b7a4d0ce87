// The filtering of a sound by the measured responses of a head.

/// Convolves a sound directly with the responses of a direction, and delays each ear by the time
/// removed from its response.
///
/// A new direction has a second pair of responses, to which the output crossfades within 10 ms, at
/// twice the cost. A further direction waits until that ends, so that no fade restarts. The delays
/// follow separately, by a glide.
///
/// The output is a pure function of input, directions and frame.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct HeadConvolver: ~Copyable {
  private let lattice: HeadLattice
  private var input: SpatialHistory
  private var left: SpatialHistory
  private var right: SpatialHistory
  /// Two pairs of impulse responses: the current pair, and the other pair of the last or running
  /// crossfade.
  private let responses: UnsafeMutablePointer<Float>
  private let others: UnsafeMutablePointer<Float>
  private var isSecond = false
  private var direction = SpatialVector(x: 0, y: 0, z: 0)
  private let fadeFrames: Int
  /// Remaining frames of the crossfade.
  private var fading = 0

  /// - Parameter lattice: the responses; must outlive the convolver.
  public init(_ lattice: HeadLattice, sampleRate: Double) {
    self.lattice = lattice
    input = SpatialHistory(kept: lattice.taps)
    let kept = Int(lattice.mostDelay) + SpatialDelay.margin
    left = SpatialHistory(kept: kept)
    right = SpatialHistory(kept: kept)
    responses = .allocate(capacity: 4 * lattice.taps)
    responses.initialize(repeating: 0, count: 4 * lattice.taps)
    others = .allocate(capacity: 2 * SpatialHistory.blockFrames)
    others.initialize(repeating: 0, count: 2 * SpatialHistory.blockFrames)
    fadeFrames = Self.fadeFrames(sampleRate: sampleRate)
  }

  /// Returns the length of the crossfade to a direction, in frames: 10 ms.
  public static func fadeFrames(sampleRate: Double) -> Int {
    max(1, Int((sampleRate * 0.010).rounded()))
  }

  deinit {
    responses.deallocate()
    others.deallocate()
  }

  /// Frames for which the output may continue after the input has ended.
  public var memoryFrames: Int {
    @_noLocks @_noAllocation get {
      lattice.taps &+ Int(saturating: lattice.mostDelay) &+ SpatialDelay.margin
    }
  }

  /// Remaining frames of the crossfade; 0 if none is running.
  public var fadingFrames: Int { @_noLocks @_noAllocation get { fading } }

  /// Whether this is the current direction, or that of the running crossfade.
  @_noLocks @_noAllocation
  public func isAimed(at direction: SpatialVector) -> Bool { direction == self.direction }

  /// Clears the audio state, and sets a direction without a crossfade.
  @_noLocks @_noAllocation
  public mutating func reset(_ direction: SpatialVector) {
    input.clear()
    left.clear()
    right.clear()
    fading = 0
    self.direction = direction
    lattice.blend(direction, to: current)
  }

  /// Starts the crossfade to a direction. Does nothing while one is running; the caller then
  /// retries.
  @_noLocks @_noAllocation
  public mutating func aim(_ direction: SpatialVector) {
    if fading > 0 || direction == self.direction { return }
    self.direction = direction
    lattice.blend(direction, to: next)
    fading = fadeFrames
  }

  /// Advances a crossfade over frames that are not processed, at most its remaining ones.
  @_noLocks @_noAllocation
  public mutating func skip(_ count: Int) {
    if fading == 0 { return }
    fading &-= count
    if fading == 0 { isSecond = !isSecond }
  }

  private var current: UnsafeMutablePointer<Float> {
    @_noLocks @_noAllocation get { responses + (isSecond ? 2 &* lattice.taps : 0) }
  }

  private var next: UnsafeMutablePointer<Float> {
    @_noLocks @_noAllocation get { responses + (isSecond ? 0 : 2 &* lattice.taps) }
  }

  /// Writes the sound at the ears.
  ///
  /// - Parameters:
  ///   - glide: the glide of the results of `HeadLattice.place`.
  ///   - count: frames, at most 256, and at most those left of the clock's segment and the
  ///     crossfade.
  /// - Complexity: O(count · taps)
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
    let (leftPlace, rightPlace) = (left.append(count), right.append(count))
    HeadConvolution.process(
      place, current, taps: lattice.taps, left: leftPlace, right: rightPlace, count: count)
    if fading > 0 {
      let (otherLeft, otherRight) = (others, others + SpatialHistory.blockFrames)
      HeadConvolution.process(
        place, next, taps: lattice.taps, left: otherLeft, right: otherRight, count: count)
      let step = 1 / Float(fadeFrames)
      frame = 0
      while frame < count {
        let part = Float(fadeFrames &- fading &+ frame &+ 1) * step
        leftPlace[frame] += (otherLeft[frame] - leftPlace[frame]) * part
        rightPlace[frame] += (otherRight[frame] - rightPlace[frame]) * part
        frame &+= 1
      }
    }
    skip(count)
    SpatialDelay.read(
      leftPlace, glide, 0, clock, most: lattice.mostDelay, to: toLeft, count: count)
    SpatialDelay.read(
      rightPlace, glide, 1, clock, most: lattice.mostDelay, to: toRight, count: count)
  }
}

/// Direct convolution with two responses at once.
enum HeadConvolution {
  /// Convolves frames. Sums over parts of 16 taps are added up, in the same way for each frame. The
  /// output therefore does not depend on how frames are divided, and rounding errors stay small.
  ///
  /// - Parameters:
  ///   - input: the frames, after `taps` − 1 earlier ones.
  ///   - responses: those of the left ear, then of the right.
  @_noLocks @_noAllocation
  static func process(
    _ input: UnsafePointer<Float>, _ responses: UnsafePointer<Float>, taps: Int,
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
  ) {
    let other = responses + taps
    var frame = 0
    while frame &+ 8 <= count {
      var (leftSum, leftSum2) = (zero, zero)
      var (rightSum, rightSum2) = (zero, zero)
      var source = input + frame
      var tap = 0
      while tap < taps {
        var (a, b, c, d) = (zero, zero, zero, zero)
        let end = tap &+ 16
        while tap < end {
          let (first, second) = (four(source), four(source + 4))
          let (toLeft, toRight) = (all(responses[tap]), all(other[tap]))
          a += first * toLeft
          b += second * toLeft
          c += first * toRight
          d += second * toRight
          source -= 1
          tap &+= 1
        }
        leftSum += a
        leftSum2 += b
        rightSum += c
        rightSum2 += d
      }
      store(leftSum, to: left + frame)
      store(leftSum2, to: left + (frame &+ 4))
      store(rightSum, to: right + frame)
      store(rightSum2, to: right + (frame &+ 4))
      frame &+= 8
    }
    while frame < count {
      var (leftSum, rightSum): (Float, Float) = (0, 0)
      var source = input + frame
      var tap = 0
      while tap < taps {
        var (a, c): (Float, Float) = (0, 0)
        let end = tap &+ 16
        while tap < end {
          a += source[0] * responses[tap]
          c += source[0] * other[tap]
          source -= 1
          tap &+= 1
        }
        leftSum += a
        rightSum += c
      }
      left[frame] = leftSum
      right[frame] = rightSum
      frame &+= 1
    }
  }

  private static var zero: SIMD4<Float> {
    @_noLocks @_noAllocation @inline(__always) get { SIMD4(0, 0, 0, 0) }
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func all(_ value: Float) -> SIMD4<Float> { SIMD4(value, value, value, value) }

  @_noLocks @_noAllocation @inline(__always)
  private static func four(_ samples: UnsafePointer<Float>) -> SIMD4<Float> {
    SIMD4(samples[0], samples[1], samples[2], samples[3])
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func store(_ value: SIMD4<Float>, to samples: UnsafeMutablePointer<Float>) {
    samples[0] = value.x
    samples[1] = value.y
    samples[2] = value.z
    samples[3] = value.w
  }
}
