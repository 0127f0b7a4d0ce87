// The last frames of a signal, contiguous in memory.

import Realtime

/// Keeps a number of past frames directly before each stretch of new ones, without a wrap between
/// them.
struct SpatialHistory: ~Copyable {
  private let memory: UnsafeMutablePointer<Float>
  private let capacity: Int
  private let kept: Int
  private var end: Int

  /// The most frames that are appended at once.
  static var blockFrames: Int { @_noLocks @_noAllocation get { 256 } }

  /// - Parameter kept: the number of frames before a stretch that can be read.
  init(kept: Int) {
    self.kept = kept
    // Few moves of the kept frames, without much more memory.
    capacity = kept + 4 * Self.blockFrames
    memory = .allocate(capacity: capacity)
    memory.initialize(repeating: 0, count: capacity)
    end = kept
  }

  deinit { memory.deallocate() }

  /// Returns room for the next frames, after those appended before.
  /// - Parameter count: at most `blockFrames`.
  @_noLocks @_noAllocation
  mutating func append(_ count: Int) -> UnsafeMutablePointer<Float> {
    if end &+ count > capacity {
      let first = end &- kept
      var frame = 0
      while frame < kept {
        memory[frame] = memory[first &+ frame]
        frame &+= 1
      }
      end = kept
    }
    let place = memory + end
    end &+= count
    return place
  }

  /// Clears the appended frames.
  @_noLocks @_noAllocation
  mutating func clear() {
    var frame = 0
    while frame < kept {
      memory[frame] = 0
      frame &+= 1
    }
    end = kept
  }
}

/// The interpolation of stretches between their frames.
enum SpatialDelay {
  /// The shortest delay in frames: interpolation also needs a newer frame.
  static var least: Double { @_noLocks @_noAllocation get { 1 } }
  /// Frames kept beyond the longest delay, for interpolation.
  static var margin: Int { @_noLocks @_noAllocation get { 3 } }

  /// Writes a stretch, delayed by a glide.
  ///
  /// - Parameters:
  ///   - number: the index of the delay in the glide, 0 or 1.
  ///   - most: the longest delay, to which others are limited.
  @_noLocks @_noAllocation
  static func read(
    _ input: UnsafePointer<Float>, _ glide: SpatialGlide, _ number: Int, _ clock: SpatialClock,
    most: Double, to output: UnsafeMutablePointer<Float>, count: Int
  ) {
    var frame = 0
    if clock.isResting {
      let point = DelayPoint(frames: held(delay(glide.rest, number), most))
      let source = input + (0 &- point.whole &- 2)
      while frame < count {
        output[frame] = point.between.value(
          source[frame &+ 3], source[frame &+ 2], source[frame &+ 1], source[frame])
        frame &+= 1
      }
      return
    }
    while frame < count {
      let value = glide.value(after: frame &+ 1, clock)
      let point = DelayPoint(frames: held(delay(value, number), most))
      let source = input + (frame &- point.whole &- 2)
      output[frame] = point.between.value(source[3], source[2], source[1], source[0])
      frame &+= 1
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func delay(_ value: SIMD4<Double>, _ number: Int) -> Double {
    number == 0 ? value.x : value.y
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func held(_ frames: Double, _ most: Double) -> Double {
    frames > least ? (frames < most ? frames : most) : least
  }
}
